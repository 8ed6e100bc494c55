---- MODULE WriteWithoutItsCondition ----
\* The application is written without if_not_exists.
\* Violates: NothingChanges in PromoEvents.calls.cfg
EXTENDS PromoEvents

BrokenPutApplied(c) == (table \ Applied(table, c)) \union {Item(c, "applied")}
====
