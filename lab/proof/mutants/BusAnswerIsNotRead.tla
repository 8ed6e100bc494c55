---- MODULE BusAnswerIsNotRead ----
\* The publisher does not read the answer for one entry of a call.
\* Violates: NothingIsUnpublished in PromoEvents.events.cfg
EXTENDS PromoEvents

BrokenKept(r) == {}
====
