---- MODULE VersionWithoutItsCondition ----
\* A version is written without the condition that there is none with its number.
\* Violates: NumbersAreNew in Configurations.recorder.cfg
EXTENDS Configurations

BrokenPut(n, version) ==
  IF n \in DOMAIN history THEN [history EXCEPT ![n] = version] ELSE Append(history, version)
====
