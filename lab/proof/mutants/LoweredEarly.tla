---- MODULE LoweredEarly ----
\* ACCEPTED: somebody lowers lastFieldId by hand while an operator confirms a plan.
\* Violates: IdsAreNew in Configurations.full-changes.cfg
EXTENDS Configurations

BrokenMayLower == TRUE
====
