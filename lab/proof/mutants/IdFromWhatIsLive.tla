---- MODULE IdFromWhatIsLive ----
\* A new field gets the next id of the live content. The history is not asked.
\* Violates: IdsAreNew in Configurations.cfg
EXTENDS Configurations

BrokenHighestEver == 0
====
