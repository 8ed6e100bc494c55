---- MODULE ReadBeforeTheWrite ----
\* The function first reads whether the code was applied, and writes if it was not.
\* Violates: AppliedOnce in PromoEvents.calls.cfg
EXTENDS PromoEvents

BrokenSend(r) ==
  /\ Len(calls) < MaxCalls
  /\ calls' = Append(calls, [user |-> r.user, code |-> r.code, date |-> r.date,
       at |-> IF \E i \in table : IsOf(i, r) THEN "repeat" ELSE "apply",
       told |-> "nothing", fate |-> "kept"])
  /\ UNCHANGED <<table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>
BrokenPutApplied(c) == (table \ Applied(table, c)) \union {Item(c, "applied")}
====
