---- MODULE RepetitionIsNotStored ----
\* The function answers that the code was applied before, and stores nothing.
\* Violates: AnswersAreTrue in PromoEvents.calls.cfg
EXTENDS PromoEvents

BrokenPutRepeated(c) == table
====
