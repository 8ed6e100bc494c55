---- MODULE TwoRegionsMutants ----
\* The mistakes that npm run proof makes in TwoRegions.tla, one at a time: the definitions of a
\* mutant replace those of the same names.
EXTENDS TwoRegions

\* EventualConsistency violates AppliedOnce in TwoRegions.cfg.
\* The global table has eventual consistency: the condition sees the replica of its own Region only.
EventualConsistency_CanWrite(r) == TRUE
EventualConsistency_Visible(r) == {replicas[r]} \ {None}
EventualConsistency_Receivers(r) == {r}

\* FailoverBeforeReplication violates AppliedOnce in TwoRegions.cfg.
\* With eventual consistency, Frankfurt writes, and Ireland takes over when Frankfurt is cut off.
FailoverBeforeReplication_CanWrite(r) == (r = "Frankfurt") = ("Frankfurt" \in reachable)
FailoverBeforeReplication_Visible(r) == {replicas[r]} \ {None}
FailoverBeforeReplication_Receivers(r) == {r}
====
