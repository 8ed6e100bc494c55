---- MODULE QueueErrorIsIgnored ----
\* The function answers with success although the queue refused the message.
\* Violates: NothingIsLost in PromoEvents.calls.cfg
EXTENDS PromoEvents

BrokenQueueRefuses(c) ==
  /\ IsAt(c, {"queue"}) /\ Answer(c, "queued")
  /\ UNCHANGED <<table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>
====
