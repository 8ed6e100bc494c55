---- MODULE GapIsInvisible ----
\* Accepted: of a lost change that was taken back, the history has no trace.
\* Violates: ContentsAreKept in Configurations.cfg
EXTENDS Configurations

BrokenIsBack(r) == FALSE
====
