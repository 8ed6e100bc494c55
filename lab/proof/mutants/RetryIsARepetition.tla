---- MODULE RetryIsARepetition ----
\* The function takes every application that it did not make itself for another request's.
\* Violates: RetriesAreNotRepeated in PromoEvents.calls.cfg
EXTENDS PromoEvents

BrokenIsOwn(items, c) == \A i \in Applied(items, c) : i.by = c
====
