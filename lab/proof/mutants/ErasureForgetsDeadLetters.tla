---- MODULE ErasureForgetsDeadLetters ----
\* The erasure does not search the dead letters.
\* Violates: ErasedIsGone in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenEraseLetters(u) ==
  /\ erasing[u] = "letters" /\ erasing' = [erasing EXCEPT ![u] = "again"]
  /\ UNCHANGED <<calls, table, messages, stream, dead, bus, sawInFlight, applications, restore>>
====
