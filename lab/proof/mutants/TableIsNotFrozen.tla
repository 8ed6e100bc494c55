---- MODULE TableIsNotFrozen ----
\* The table takes writes while it is copied.
\* Violates: NothingIsLost in PromoEvents.restore.cfg
EXTENDS PromoEvents

BrokenIsFrozen == FALSE
====
