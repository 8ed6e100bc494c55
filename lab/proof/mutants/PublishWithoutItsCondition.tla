---- MODULE PublishWithoutItsCondition ----
\* A configuration is published without the condition that its content is unchanged.
\* Violates: NothingIsOverwrittenUnseen in Configurations.cfg
EXTENDS Configurations

BrokenIsUnchanged(plan) == TRUE
====
