---- MODULE ReplayOfAnErasedItem ----
\* The replay publishes what the stream has, without a look into the table.
\* Violates: EventsAreStored in PromoEvents.events.cfg
EXTENDS PromoEvents

BrokenReplayed(i) == {i}
====
