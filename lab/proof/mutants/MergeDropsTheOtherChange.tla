---- MODULE MergeDropsTheOtherChange ----
\* The merge keeps the fields of the draft, and drops what others have changed since its base.
\* Violates: NothingIsOverwrittenUnseen in Configurations.cfg
EXTENDS Configurations

BrokenMerge(base, mine, theirs) == mine
====
