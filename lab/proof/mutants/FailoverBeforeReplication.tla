---- MODULE FailoverBeforeReplication ----
\* With eventual consistency, Frankfurt writes, and Ireland takes over when Frankfurt is cut off.
\* Violates: AppliedOnce in TwoRegions.cfg
EXTENDS TwoRegions

BrokenCanWrite(r) == (r = "Frankfurt") = ("Frankfurt" \in reachable)
BrokenVisible(r) == {replicas[r]} \ {None}
BrokenReceivers(r) == {r}
====
