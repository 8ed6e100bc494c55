---- MODULE DeathBetweenTwoWrites ----
\* The storing function dies before it writes the repetition, and the message counts as stored.
\* Violates: NothingIsLost in PromoEvents.calls.cfg
EXTENDS PromoEvents

BrokenStoreRefuses(c) == \E m \in Of(c, Writes) :
  At(m, IF m.at = "repeat" THEN "stored" ELSE "hidden") /\ OnlyMessages
====
