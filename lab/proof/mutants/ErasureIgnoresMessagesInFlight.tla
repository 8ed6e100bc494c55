---- MODULE ErasureIgnoresMessagesInFlight ----
\* The erasure searches again at once, while functions store what they received before the marker.
\* Violates: ErasedIsGone in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenHaveEnded(u) == TRUE
====
