---- MODULE ConfigurationsMutants ----
\* The mistakes that npm run proof makes in Configurations.tla, one at a time: the definitions of a
\* mutant replace those of the same names.
EXTENDS Configurations

\* BackToTheNewest violates IdsAreNew in Configurations.cfg.
\* ACCEPTED: somebody brings back what the newest version has before the recorder has seen the ids.
BackToTheNewest_MayReturnTo(c) == TRUE

\* ClockSpreads violates AuthorsAreRight in Configurations.clocks.cfg.
\* A change is dated after any one before it, also after one of a clock that is wrong.
ClockSpreads_IsFarAhead(one, other) == FALSE

\* DatesGiveNoOrder violates AuthorsAreRight in Configurations.clocks.cfg.
\* The recorder does not compare the date of a change with the one before.
DatesGiveNoOrder_Follows(change, before) == TRUE

\* EachByItsOwnClock violates AuthorsAreRight in Configurations.clocks.cfg.
\* A tool dates a change by its clock alone, without the one before.
EachByItsOwnClock_Replaced == NoChange

\* GapCountsAsTheChange violates ChangesAreRecorded in Configurations.cfg.
\* The version that closes a gap counts as that of the change. The invocation dies between the two.
GapCountsAsTheChange_Version(r, seen) == IF IsGap(r, seen)
  THEN [content |-> Before(r), position |-> r, gap |-> r, own |-> FALSE]
  ELSE [content |-> After(r), position |-> r, gap |-> 0, own |-> FALSE]

\* GapIgnoresIds violates IdsAreNew in Configurations.full-rollouts.cfg.
\* The recorder compares an item with the newest version by its digest only, not by its highest id.
GapIgnoresIds_KnowsIds(r, seen) == TRUE

\* GapIsInvisible violates ContentsAreKept in Configurations.cfg.
\* ACCEPTED: the history has no trace of a change that was lost and taken back.
GapIsInvisible_IsBack(r, s) == FALSE

\* GapIsNotMarked violates ContentsAreKept in Configurations.cfg.
\* The recorder does not compare the item before a change with the newest version.
GapIsNotMarked_IsGap(r, seen) == FALSE

\* GapMakesNothingLate violates VersionsAreInOrder in Configurations.recorder.cfg.
\* The version that closes a gap has the position of the one before. A lost record still comes.
GapMakesNothingLate_Version(r, seen) == IF IsGap(r, seen)
  THEN [content |-> Before(r), position |-> history[seen].position, gap |-> r, own |-> FALSE]
  ELSE [content |-> After(r), position |-> r, gap |-> 0, own |-> FALSE]

\* IdBeforeTheHistory violates IdsAreNew in Configurations.cfg.
\* A new field gets its id while the history lacks what is live.
IdBeforeTheHistory_HasCaughtUp == TRUE

\* IdFromWhatIsLive violates IdsAreNew in Configurations.cfg.
\* A new field gets the next id of the live content. The history is not asked.
IdFromWhatIsLive_HighestEver == 0

\* IdsAreReusedAfterAStop violates IdsAreNew in Configurations.rollouts.cfg.
\* A start does not raise lastFieldId. The rollout ends before the history has its candidate.
IdsAreReusedAfterAStop_Raised(given) == HighestIn(Item)

\* LostResponseMeansNotWritten violates VersionsAreInOrder in Configurations.cfg.
\* After a lost response, the recorder writes the version again, without a look.
LostResponseMeansNotWritten_GoOn(attempt) == [attempt EXCEPT !.seen = @ + 1]

\* LoweredEarly violates IdsAreNew in Configurations.full-changes.cfg.
\* ACCEPTED: somebody lowers lastFieldId by hand while an operator confirms a plan.
LoweredEarly_MayLower == TRUE

\* MergeDropsTheOtherChange violates NothingIsOverwrittenUnseen in Configurations.cfg.
\* The merge keeps the fields of the draft, and drops what others have changed since its base.
MergeDropsTheOtherChange_Merge(base, mine, theirs) == mine

\* MissingFieldsAreNoCondition violates NothingIsOverwrittenUnseen in Configurations.cfg.
\* A publication of a client without fields has no condition.
MissingFieldsAreNoCondition_IsUnchanged(plan) ==
  plan.before.fields = {} \/ Body(Item) = plan.before

\* NumbersAreRounded violates ChangesAreRecorded in Configurations.cfg.
\* Sequence numbers are compared as JavaScript numbers, of which neighbours are equal.
NumbersAreRounded_IsSeen(r) == Newest.position \div 2 >= r \div 2

\* PreviewIsReplacedUnseen violates NoOtherRolloutEnds in Configurations.rollouts.cfg.
\* A change has the condition that the content is unchanged, but not the rollout beside it.
PreviewIsReplacedUnseen_IsUnchanged(plan) ==
  Content(Item) = [fields |-> plan.before.fields, last |-> plan.before.last]

\* PublicationEndsAPreview violates NoOtherRolloutEnds in Configurations.rollouts.cfg.
\* A publication writes the item without the rollout, whatever its share is.
PublicationEndsAPreview_Kept(rollout) == NoRollout

\* PublishWithoutItsCondition violates NothingIsOverwrittenUnseen in Configurations.cfg.
\* A configuration is published without the condition that its content is unchanged.
PublishWithoutItsCondition_IsUnchanged(plan) == TRUE

\* RecordIsFoundByItsIdOnly violates VersionsAreInOrder in Configurations.cfg.
\* The recorder compares the id of a record with that of the newest version, not its position.
RecordIsFoundByItsIdOnly_IsSeen(r) == Is(r, Newest)

\* StopByAnOldId violates NoOtherRolloutEnds in Configurations.full-rollouts.cfg.
\* A stop has no condition: it ends another rollout than the one that was read.
StopByAnOldId_Runs(id) == TRUE

\* VersionWithoutItsCondition violates NumbersAreNew in Configurations.recorder.cfg.
\* A version is written without the condition that there is none with its number.
VersionWithoutItsCondition_Put(n, version) ==
  IF n \in DOMAIN history THEN [history EXCEPT ![n] = version] ELSE Append(history, version)

\* WidenedUnmerged violates WideningTakesNothingBack in Configurations.rollouts.cfg.
\* More devices get a candidate that lacks what was published beside it.
WidenedUnmerged_IsUpToDate(rollout) == TRUE
====
