---- MODULE BackToTheNewest ----
\* ACCEPTED: somebody brings back what the newest version has before the recorder has seen the ids.
\* Violates: IdsAreNew in Configurations.cfg
EXTENDS Configurations

BrokenMayReturnTo(c) == TRUE
====
