---- MODULE MissingFieldsAreNoCondition ----
\* A publication of a client without fields has no condition.
\* Violates: NothingIsOverwrittenUnseen in Configurations.cfg
EXTENDS Configurations

BrokenIsUnchanged(plan) == plan.before.fields = {} \/ Item = plan.before
====
