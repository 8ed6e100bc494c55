---- MODULE UnreadableMarkerIsNone ----
\* The function takes markers that it cannot read for none.
\* Violates: ErasedIsGone in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenAtUnreadable(c) == "apply"
====
