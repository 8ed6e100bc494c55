---- MODULE NumbersAreRounded ----
\* Sequence numbers are compared as JavaScript numbers, of which neighbours are equal.
\* Violates: ChangesAreRecorded in Configurations.cfg
EXTENDS Configurations

BrokenIsSeen(r) == Newest.position \div 2 >= r \div 2
====
