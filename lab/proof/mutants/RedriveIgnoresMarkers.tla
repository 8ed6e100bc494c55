---- MODULE RedriveIgnoresMarkers ----
\* The redrive publishes an item that the erasure is about to remove.
\* Violates: EventsAreStored in PromoEvents.events.cfg
EXTENDS PromoEvents

BrokenPublished(i) == {j \in table : HasKeyOf(i, j)}
====
