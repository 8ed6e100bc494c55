---- MODULE GapIsNotMarked ----
\* The recorder does not compare the item before a change with the newest version.
\* Violates: ContentsAreKept in Configurations.cfg
EXTENDS Configurations

BrokenIsGap(r, seen) == FALSE
====
