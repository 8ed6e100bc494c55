---- MODULE ErasureIgnoresMessagesInFlight ----
\* The erasure does not search again when messages were in flight.
\* Violates: ErasedIsGone in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenInFlight == {}
====
