---- MODULE GapIsInvisible ----
\* ACCEPTED: the history has no trace of a change that was lost and taken back.
\* Violates: ContentsAreKept in Configurations.cfg
EXTENDS Configurations

BrokenIsBack(r, s) == FALSE
====
