---- MODULE AnswerBeforeTheWrite ----
\* The function answers before it writes.
\* Violates: AnswersAreTrue in PromoEvents.calls.cfg
EXTENDS PromoEvents

BrokenSend(r) ==
  /\ Len(calls) < MaxCalls
  /\ calls' = Append(calls, [user |-> r.user, code |-> r.code, date |-> r.date,
                             at |-> "apply", told |-> "applied", fate |-> "kept"])
  /\ UNCHANGED <<table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>
====
