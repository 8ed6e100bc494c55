---- MODULE OnlyLaterErasuresAreRepeated ----
\* Only erasures that began after the restore point are repeated.
\* Violates: ErasedIsGone in PromoEvents.restore.cfg
EXTENDS PromoEvents

BrokenRestorePoint ==
  /\ restore.at = "no"
  /\ restore' = [at |-> "point", items |-> table, erasedAt |-> restore.erasedAt,
                 begun |-> {u \in Users : erasing[u] # "no"}]
  /\ OnlyRestore
BrokenHasEnded(i) ==
  \/ i.by <= restore.erasedAt[i.user] /\ i.user \notin restore.begun
  \/ calls[i.by].fate = "expired"
====
