---- MODULE GapMakesNothingLate ----
\* The version that closes a gap has the position of the one before. A lost record still comes.
\* Violates: VersionsAreInOrder in Configurations.recorder.cfg
EXTENDS Configurations

BrokenVersion(r, seen) == IF IsGap(r, seen)
  THEN [content |-> Before(r), position |-> history[seen].position, gap |-> r]
  ELSE [content |-> After(r), position |-> r, gap |-> 0]
====
