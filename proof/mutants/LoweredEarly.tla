---- MODULE LoweredEarly ----
\* ACCEPTED: somebody lowers lastFieldId by hand before the recorder has seen the ids.
\* Violates: IdsAreNew in Configurations.cfg
EXTENDS Configurations

BrokenMayLower == TRUE
====
