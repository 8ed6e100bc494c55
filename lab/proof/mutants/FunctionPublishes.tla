---- MODULE FunctionPublishes ----
\* The function publishes the event itself, before it writes.
\* Violates: EventsAreStored in PromoEvents.events.cfg
EXTENDS PromoEvents

BrokenSend(r) ==
  /\ Len(calls) < MaxCalls
  /\ calls' = Append(calls, [user |-> r.user, code |-> r.code, date |-> r.date,
                             at |-> "apply", told |-> "nothing", fate |-> "kept"])
  /\ bus' = bus \union {[user |-> r.user, code |-> r.code, date |-> r.date,
                         kind |-> "applied", by |-> Len(calls) + 1,
                         token |-> FALSE]}
  /\ UNCHANGED <<table, messages, stream, dead, erasing, erasedAt, applications, restore>>
====
