---- MODULE RecordIsFoundByItsIdOnly ----
\* The recorder compares the id of a record with that of the newest version, not its position.
\* Violates: VersionsAreInOrder in Configurations.cfg
EXTENDS Configurations

BrokenIsSeen(r) == Is(r, Newest)
====
