---- MODULE OnlyLaterErasuresAreRepeated ----
\* Only erasures that began after the restore point are repeated.
\* Violates: ErasedIsGone in PromoEvents.restore.cfg
EXTENDS PromoEvents

BrokenRestorePoint ==
  /\ restore.at = "no"
  /\ restore' = [at |-> "point", items |-> table, begun |-> {u \in Users : erasing[u] # "no"}]
  /\ OnlyRestore
BrokenHasEnded(i) ==
  \/ IsErasedItem(i) /\ i.user \notin restore.begun
  \/ calls[i.by].fate = "expired"
====
