---- MODULE LostWithItsIds ----
\* ACCEPTED: the records of ids are lost that somebody has removed by hand.
\* Violates: IdsAreNew in Configurations.full-changes.cfg
EXTENDS Configurations

BrokenMayLose(r) == TRUE
====
