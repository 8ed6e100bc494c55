---- MODULE CopyByTimeOfReceipt ----
\* The copy takes only what was received since the restore point.
\* Violates: NothingIsLost in PromoEvents.restore.cfg
EXTENDS PromoEvents

BrokenRestorePoint ==
  /\ restore.at = "no"
  /\ restore' = [at |-> "point", items |-> table, calls |-> Len(calls)]
  /\ OnlyRestore
BrokenIsLacking(i) == i.by > restore.calls /\ ~\E j \in restore.items : HasKeyOf(i, j)
====
