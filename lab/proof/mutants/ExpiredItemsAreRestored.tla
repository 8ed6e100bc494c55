---- MODULE ExpiredItemsAreRestored ----
\* The restored table keeps items that have expired since the restore point.
\* Violates: NothingIsLost in PromoEvents.full-restore.cfg
EXTENDS PromoEvents

BrokenHasEnded(i) == IsErasedItem(i)
====
