---- MODULE StopByAnOldId ----
\* A stop has no condition: it ends another rollout than the one that was read.
\* Violates: NoOtherRolloutEnds in Configurations.full-rollouts.cfg
EXTENDS Configurations

BrokenRuns(id) == TRUE
====
