---- MODULE MessageIsDeletedFirst ----
\* The message is deleted when it is received, before the event is stored.
\* Violates: NothingIsLost in PromoEvents.calls.cfg
EXTENDS PromoEvents

BrokenStoreRefuses(c) == \E m \in Of(c, Writes) : Change(m, {}) /\ OnlyMessages
====
