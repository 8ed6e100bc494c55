---- MODULE ReplayIgnoresMarkers ----
\* The replay publishes an item that the erasure is about to remove.
\* Violates: EventsAreStored in PromoEvents.events.cfg
EXTENDS PromoEvents

BrokenReplayed(i) == {j \in table : HasKeyOf(i, j)}
====
