---- MODULE IdBeforeTheHistory ----
\* A new field gets its id while the history lacks what is live.
\* Violates: IdsAreNew in Configurations.cfg
EXTENDS Configurations

BrokenHasCaughtUp == TRUE
====
