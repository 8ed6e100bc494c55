---- MODULE IdsAreReusedAfterAStop ----
\* A start does not raise lastFieldId. The rollout ends before the history has its candidate.
\* Violates: IdsAreNew in Configurations.rollouts.cfg
EXTENDS Configurations

BrokenRaised(given) == HighestIn(Item)
====
