---- MODULE CopyBeforeErasures ----
\* The erasures are repeated after the copy, which found the key of an erased item taken.
\* Violates: NothingIsLost in PromoEvents.restore.cfg
EXTENDS PromoEvents

BrokenEraseAgain ==
  /\ GoOnRestoring("frozen", "erased", restore.items \union {i \in table : IsLacking(i)})
  /\ OnlyRestore
BrokenCopyItems ==
  GoOnRestoring("erased", "copied", {i \in restore.items : ~HasEnded(i)}) /\ OnlyRestore
====
