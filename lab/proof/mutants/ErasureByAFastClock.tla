---- MODULE ErasureByAFastClock ----
\* An erasure is dated by the clock of the operator's laptop, which is fast.
\* Violates: NothingIsLost in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenClock == Len(calls) + 1
====
