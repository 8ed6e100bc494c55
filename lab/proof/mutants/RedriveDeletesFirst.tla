---- MODULE RedriveDeletesFirst ----
\* The redrive deletes a dead letter before it sends the copy.
\* Violates: NothingIsLost in PromoEvents.queue.cfg
EXTENDS PromoEvents

BrokenRedriveSends(c) == \E m \in Of(c, {"dead"}) : Change(m, {}) /\ OnlyMessages
====
