---- MODULE GapIgnoresIds ----
\* The recorder compares an item with the newest version by its digest only, not by its highest id.
\* Violates: IdsAreNew in Configurations.full-rollouts.cfg
EXTENDS Configurations

BrokenKnowsIds(r, seen) == TRUE
====
