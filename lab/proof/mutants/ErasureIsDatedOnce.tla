---- MODULE ErasureIsDatedOnce ----
\* An erasure is dated when it begins, and not again when it has removed the items.
\* Violates: NothingChanges in PromoEvents.restore.cfg
EXTENDS PromoEvents

BrokenRecordErasure(u) ==
  restore' = IF erasing[u] = "no" THEN [restore EXCEPT !.erasedAt[u] = Clock] ELSE restore
====
