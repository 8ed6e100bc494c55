---- MODULE NoDeadLetters ----
\* The queue has no dead-letter queue: a message is gone after its last receive.
\* Violates: NothingIsLost in PromoEvents.calls.cfg
EXTENDS PromoEvents

BrokenVisibilityEnds(c) == \E m \in Of(c, {"hidden"}) :
  /\ IF m.receives < MaxReceive THEN At(m, "waiting") ELSE Change(m, {})
  /\ OnlyMessages
====
