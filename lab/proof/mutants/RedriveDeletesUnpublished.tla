---- MODULE RedriveDeletesUnpublished ----
\* The redrive deletes the dead letter of an event before it is published.
\* Violates: NothingIsUnpublished in PromoEvents.events.cfg
EXTENDS PromoEvents

BrokenIsToDelete(i) == TRUE
====
