---- MODULE SecondWriteWithoutItsCondition ----
\* The second write of an application has no condition: it creates one without its token.
\* Violates: ItemsAreWhole in PromoEvents.expired-paths.cfg
EXTENDS PromoEvents

BrokenAskForApplied(c) == IF Applied(table, c) # {} THEN table
  ELSE table \union {[Item(c, "applied") EXCEPT !.token = FALSE]}
====
