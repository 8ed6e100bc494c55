---- MODULE GapCountsAsTheChange ----
\* The version that closes a gap counts as that of the change. The invocation dies between the two.
\* Violates: ChangesAreRecorded in Configurations.cfg
EXTENDS Configurations

BrokenVersion(r, seen) == IF IsGap(r, seen)
  THEN [content |-> Before(r), position |-> r, gap |-> r]
  ELSE [content |-> After(r), position |-> r, gap |-> 0]
====
