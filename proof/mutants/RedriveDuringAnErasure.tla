---- MODULE RedriveDuringAnErasure ----
\* An operator redrives while another one erases the user.
\* Violates: ErasedIsGone in PromoEvents.erasure.cfg
EXTENDS PromoEvents

BrokenMayRedrive == TRUE
BrokenMayErase == TRUE
====
