---- MODULE ErasureForgetsDeadLetters ----
\* The marker is deleted with the end of the erasure, and a dead letter is moved back later.
\* Violates: ErasedIsGone in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenEraseItemsAgain(u) ==
  /\ erasing[u] = "searched" /\ HaveEnded(u)
  /\ \A m \in messages : calls[m.call].user = u => m.at = "dead"
  /\ erasing' = [erasing EXCEPT ![u] = "done"] /\ SearchTable(u)
  /\ erasedAt' = [erasedAt EXCEPT ![u] = 0]
  /\ UNCHANGED <<calls, messages, stream, dead, bus, restore>>
====
