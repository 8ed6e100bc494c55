---- MODULE ErasedIsPublishedLate ----
\* The publisher does not look late records up in the markers.
\* Violates: EventsAreStored in PromoEvents.events.cfg
EXTENDS PromoEvents

BrokenIsDropped(r) == FALSE
====
