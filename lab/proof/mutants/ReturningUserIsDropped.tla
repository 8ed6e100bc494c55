---- MODULE ReturningUserIsDropped ----
\* The function drops every message of an erased user, also what was received later.
\* Violates: NothingIsLost in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenStep(c) == IF erasing[calls[c].user] # "no" THEN "stored" ELSE "apply"
====
