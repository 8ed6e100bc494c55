---- MODULE IdentityIsTakenFromTheCode ----
\* The storing function takes the identity from the code, as one that does not know it.
\* Violates: AppliedOnce in PromoEvents.case.cfg
EXTENDS PromoEvents

BrokenEventIdentity(c) ==
  IF calls[c].at = "over" THEN calls[c].code ELSE Identity(calls[c].code)
====
