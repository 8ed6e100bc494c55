---- MODULE ItemExpiresEarly ----
\* The retention of items is shorter than the time that a request can be late.
\* Violates: AppliedOnce in PromoEvents.queue.cfg
EXTENDS PromoEvents

BrokenMayExpire(i) == TRUE
====
