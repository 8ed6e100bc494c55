---- MODULE EventualConsistency ----
\* The global table has eventual consistency: the condition sees the replica of its own Region only.
\* Violates: AppliedOnce in TwoRegions.cfg
EXTENDS TwoRegions

BrokenCanWrite(r) == TRUE
BrokenVisible(r) == {replicas[r]} \ {None}
BrokenReceivers(r) == {r}
====
