---- MODULE LostResponseMeansNotWritten ----
\* After a lost response, the recorder writes the version again, without a look.
\* Violates: VersionsAreInOrder in Configurations.cfg
EXTENDS Configurations

BrokenGoOn(attempt) == [attempt EXCEPT !.seen = @ + 1]
====
