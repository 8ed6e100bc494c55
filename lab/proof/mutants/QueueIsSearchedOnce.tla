---- MODULE QueueIsSearchedOnce ----
\* The erasure does not search the queue again, while another operator redrives.
\* Violates: ErasedIsGone in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenEraseQueueAgain(u) ==
  /\ erasing[u] = "again" /\ erasing' = [erasing EXCEPT ![u] = "items"]
  /\ UNCHANGED <<calls, table, messages, stream, dead, bus, sawInFlight, applications, restore>>
====
