---- MODULE RepetitionWithoutItsCondition ----
\* A repetition is written without the condition that there is none.
\* Violates: NothingChanges in PromoEvents.calls.cfg
EXTENDS PromoEvents

BrokenPutRepeated(c) == (table \ Repeated(table, c)) \union {Item(c, "repeated")}
====
