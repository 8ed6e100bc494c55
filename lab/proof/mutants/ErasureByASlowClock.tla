---- MODULE ErasureByASlowClock ----
\* An erasure is dated by the clock of the operator's laptop, which is slow.
\* Violates: ErasedIsGone in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenClock == IF calls = <<>> THEN 0 ELSE Len(calls) - 1
====
