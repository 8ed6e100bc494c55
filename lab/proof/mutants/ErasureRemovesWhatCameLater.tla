---- MODULE ErasureRemovesWhatCameLater ----
\* The erasure removes whatever the user has, also what came after the marker.
\* Violates: NothingIsLost in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenIsToRemove(i, u) == i.user = u
====
