---- MODULE TableIsSearchedOnce ----
\* The erasure does not search the table again.
\* Violates: ErasedIsGone in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenEraseItemsAgain(u) ==
  /\ erasing[u] = "searched" /\ HaveEnded(u)
  /\ erasing' = [erasing EXCEPT ![u] = "done"]
  /\ UNCHANGED <<calls, table, messages, stream, dead, bus, erasedAt, applications, restore>>
====
