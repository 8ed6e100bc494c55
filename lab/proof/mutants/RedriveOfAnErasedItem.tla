---- MODULE RedriveOfAnErasedItem ----
\* The redrive publishes what the dead letter has, without a look into the table.
\* Violates: EventsAreStored in PromoEvents.events.cfg
EXTENDS PromoEvents

BrokenPublished(i) == {i}
====
