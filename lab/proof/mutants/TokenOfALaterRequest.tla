---- MODULE TokenOfALaterRequest ----
\* The first write of an application has no condition: it adds the token of a later request.
\* Violates: NothingChanges in PromoEvents.expired-paths.cfg
EXTENDS PromoEvents

BrokenPutApplied(c) ==
  IF Applied(table, c) = {} THEN table \union {Item(c, "applied")}
  ELSE {IF i \in Applied(table, c) /\ HasToken(c) THEN [i EXCEPT !.token = TRUE] ELSE i : i \in table}
====
