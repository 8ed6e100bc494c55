---- MODULE MarkerAfterTheSearch ----
\* The marker is written after the table was searched.
\* Violates: ErasedIsGone in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenMarked(u) == erasedAt
BrokenIsToRemove(i, u) == i.user = u
BrokenEraseItemsAgain(u) ==
  /\ erasing[u] = "searched" /\ HaveEnded(u)
  /\ erasing' = [erasing EXCEPT ![u] = "done"] /\ erasedAt' = [erasedAt EXCEPT ![u] = Clock]
  /\ UNCHANGED <<calls, table, messages, stream, dead, bus, applications, restore>>
====
