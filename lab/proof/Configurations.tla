---------------------------- MODULE Configurations ----------------------------
(* The configuration of one client: operators publish it, roll it back and give a candidate to a few
   phones first, beside which others publish as long as its share is 0. Somebody edits it by hand,
   and the recorder (RecordConfigurationVersions) writes the history. PromoEvents.tla explains how
   to read a model.

   A content is the set of the ids of its fields, and lastFieldId. Its digest identifies the fields.
   The item and each version have a content and the rollout that runs.

   What needs no action: a plan or an attempt that is given up or refused is as good as never made,
   because it has changed nothing.

   What is left out: the values of fields, so merges are those of sets, and a version always fits
   into its item; App-Ids; who gets a candidate; and clocks, except in Configurations.clocks.cfg.
   ACCEPTED: after a date that was wrong by more than 15 minutes, and while it is 15 to 22 ahead of
   AWS's clock, the changes of a clock that is fast by more than 7.5 count as edits by hand. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Operators,
          Invocations,  \* of the recorder: one that Lambda gave up may still run beside the next
          MaxChanges,   \* how often the item changes
          MaxRollouts,  \* how many rollouts start
          Clocks        \* what operators' clocks can show when AWS's shows Noon; none: no dates

VARIABLES
  contents,  \* what the item has contained. The last one is live, and record r of the stream is the
             \* change from contents[r] to contents[r + 1]
  stopping,  \* the id of the rollout that somebody is about to stop
  plans,     \* for each operator, the planned change that waits for its confirmation
  done,      \* how many records Lambda does not deliver again: the first so many
  attempts,  \* for each invocation, its record and the number of the newest version that it read
  history    \* the versions: history[n] is version n
vars == <<contents, stopping, plans, done, attempts, history>>

Item == contents[Len(contents)]
Before(r) == contents[r]
After(r) == contents[r + 1]
Records == 1..(Len(contents) - 1)
Newest == history[Len(history)]

Highest(ids) == CHOOSE i \in ids \union {0} : \A j \in ids : j <= i
HighestIn(c) == Highest(c.fields \union {c.last})

\* The id of a rollout is the record of its start. Its candidate was made in that record, or in one
\* that merged it with what was live. The content after that is the candidate's base.
NoRollout == [id |-> 0]
IsPreview(rollout) == rollout /= NoRollout /\ rollout.percent = 0
Content(item) == [fields |-> item.fields, last |-> item.last]
\* What the digest of a content identifies, and what a version and an item are compared by.
Digest(item) == item.fields
Identity(item) == [digest |-> Digest(item), rollout |-> item.rollout]
\* The lastChange of an item: the record and the date of the last change by a tool, and the clock.
NoChange == [id |-> 0]
Without(item) == [fields |-> item.fields, last |-> item.last, rollout |-> NoRollout,
                  change |-> item.change]
\* An item without its lastChange, which is no part of a plan.
Body(item) == [fields |-> item.fields, last |-> item.last, rollout |-> item.rollout]
Candidate(item) == IF item.rollout = NoRollout THEN {} ELSE item.rollout.fields
Base(rollout) == contents[rollout.made + 1]

NoPlan == [id |-> 0]
NoAttempt == [record |-> 0, seen |-> 0]
First == Without([fields |-> {1}, last |-> 1, change |-> NoChange])

Init ==
  /\ contents = <<First>> /\ stopping = 0 /\ plans = [o \in Operators |-> NoPlan] /\ done = 0
  /\ attempts = [i \in Invocations |-> NoAttempt]
  /\ history = <<[content |-> First, position |-> 0, gap |-> 0, own |-> FALSE]>>

------------------------------------------------------------------------------
(* Clocks. A change takes a minute, and the clocks differ by MaxDifference at most, except those
   that are wrong. *)

Noon == 10
MaxDifference == 4
Time(r) == Noon + r
IsRight(clock) == clock \in (Noon - MaxDifference)..(Noon + MaxDifference)

\* Ignore a date more than half the tolerance ahead: a change dated after it would fall outside the
\* tolerance of the record.
IsFarAhead(one, other) == one > other + MaxDifference \div 2

\* A tool dates a change after the one that it has read directly before, which its write replaces.
Replaced == Item.change
DateOf(now) ==
  IF Replaced /= NoChange /\ Replaced.at >= now /\ ~IsFarAhead(Replaced.at, now)
  THEN Replaced.at + 1 ELSE now
ByTool(c) == IF Clocks = {} THEN {c} ELSE
  {[c EXCEPT !.change = [id |-> Len(contents), at |-> DateOf(clock + Len(contents)),
                         clock |-> clock]] : clock \in Clocks}

\* Somebody edits the item and leaves lastChange, or writes a date of 2099 into it.
ByHand(c) == {c} \union
  (IF Clocks = {} \/ c.change = NoChange THEN {} ELSE {[c EXCEPT !.change.at = 99]})

------------------------------------------------------------------------------
(* The operators. Only a publication, a change of a rollout and an edit by hand change the item. *)

MayChange == Len(contents) <= MaxChanges
Change(c) == MayChange /\ Body(c) /= Body(Item) /\ contents' = Append(contents, c)
ChangeByTool(c) == \E made \in ByTool(c) : Change(made)

\* A new field gets an id above all that the item and the history know. Each version takes over the
\* highest id of the one before: here, those are the ids in all versions, with their candidates.
Recorded(item) == {HighestIn(item)} \union Candidate(item)
HighestUpTo(version) == Highest(UNION {Recorded(history[n].content) : n \in 1..version})
HighestEver == HighestUpTo(Len(history))
NextId == Highest({HighestIn(Item), HighestEver}) + 1

(* ACCEPTED: ids that the history has not seen yet are forgotten if an edit by hand or a rollback
   brings back the fields of the newest version: nothing shows that there was anything in between. And
   nobody lowers the ids by hand while an operator confirms a plan. The mutants
   BackToTheNewest and LoweredEarly show why. *)
HighestOf(cs) == Highest({HighestIn(c) : c \in cs})
IsForgotten(cs, c) == HighestOf(cs) > Highest({HighestIn(c), HighestEver})
MayReturnTo(c) ==
  Digest(c) = Digest(Newest.content) => ~IsForgotten({contents[n] : n \in DOMAIN contents}, c)
MayLower == \A o \in Operators : plans[o] = NoPlan

Plan(o, base, id, fields, last, step) ==
  /\ MayChange /\ plans[o] = NoPlan
  /\ plans' = [plans EXCEPT ![o] = [base |-> Content(base), before |-> Body(Item), id |-> id,
                                   after |-> [fields |-> fields, last |-> last],
                                   step |-> step]]
  /\ UNCHANGED <<contents, stopping, done, attempts, history>>

\* An id is given only if the history has the content that is live.
HasCaughtUp == Digest(Newest.content) = Digest(Item)

\* The operator has pulled the configuration at any time before, and adds a field to it. If somebody
\* has changed it since, both changes are merged. That needs the base, which the history must have.
Merge(base, mine, theirs) == (theirs \ (base \ mine)) \union (mine \ base)
IsRecordedContent(c) == \E v \in DOMAIN history : Digest(history[v].content) = Digest(c)
HasBase(base) == HasCaughtUp /\ (Digest(base) = Digest(Item) \/ IsRecordedContent(base))
PlanNewField(o, base, step) == LET mine == base.fields \union {NextId} IN
  HasBase(base) /\ Plan(o, base, NextId, Merge(base.fields, mine, Item.fields), NextId, step)

\* A publication and a rollback leave a preview, and end any other rollout that runs: they have
\* --stop-rollout then.
PlanPublication(o) == \E n \in DOMAIN contents : PlanNewField(o, contents[n], "publish")
PlanRollback(o) == \E v \in DOMAIN history : LET old == history[v].content IN
  Plan(o, Item, 0, old.fields, Highest({old.last, Item.last}), "publish")
Kept(rollout) == IF IsPreview(rollout) THEN rollout ELSE NoRollout

\* A start takes the place of a preview.
Started == {contents[n].rollout.id : n \in DOMAIN contents} \ {0}
PlanStart(o) ==
  /\ (Item.rollout = NoRollout \/ IsPreview(Item.rollout)) /\ Cardinality(Started) < MaxRollouts
  /\ \E n \in DOMAIN contents, step \in {"preview", "start"} : PlanNewField(o, contents[n], step)

\* More devices get a candidate only if what is live is what it was made from.
IsUpToDate(rollout) == rollout = NoRollout \/ Digest(Base(rollout)) = Digest(Item)

\* The candidate becomes live, or gets what was published beside it. Its ids were given when the
\* rollout started.
PlanMerged(o, step) == Item.rollout /= NoRollout /\ LET base == Base(Item.rollout) IN
  /\ HasBase(base)
  /\ Plan(o, base, 0, Merge(base.fields, Candidate(Item), Item.fields),
          Highest(Candidate(Item) \union {Item.last}), step)
PlanFinish(o) == PlanMerged(o, "finish")
PlanMerge(o) == ~IsUpToDate(Item.rollout) /\ PlanMerged(o, "merge")

\* The condition of the write. It compares the content and the rollout, and nothing else.
IsUnchanged(plan) == Body(Item) = plan.before

\* A start keeps what is live, and raises lastFieldId.
Raised(last) == Highest({Item.last, last})
Rollout(plan) == LET id == IF plan.step = "merge" THEN Item.rollout.id ELSE Len(contents) IN
  [id |-> id, made |-> Len(contents), fields |-> plan.after.fields,
   percent |-> CASE plan.step = "merge" -> Item.rollout.percent
                 [] plan.step = "preview" -> 0
                 [] OTHER -> 5]
Written(plan) == IF plan.step \in {"publish", "finish"}
  THEN [Item EXCEPT !.fields = plan.after.fields, !.last = plan.after.last,
          !.rollout = IF plan.step = "finish" THEN NoRollout ELSE Kept(@)]
  ELSE [Item EXCEPT !.last = Raised(plan.after.last), !.rollout = Rollout(plan)]

Save(o) == LET plan == plans[o] IN
  /\ plan /= NoPlan
  /\ IsUnchanged(plan) /\ MayReturnTo(Written(plan)) /\ ChangeByTool(Written(plan))
  /\ plans' = [plans EXCEPT ![o] = NoPlan] /\ UNCHANGED <<stopping, done, attempts, history>>

\* The write has the condition that content and rollout are as they were read, so this is one step.
Widen == Item.rollout /= NoRollout /\ IsUpToDate(Item.rollout)
  /\ ChangeByTool([Item EXCEPT !.rollout.percent = 50])
  /\ UNCHANGED <<stopping, plans, done, attempts, history>>

\* It may end, and another one may start, between the two steps of a stop.
ReadToStop == Item.rollout /= NoRollout /\ stopping = 0 /\ stopping' = Item.rollout.id
  /\ UNCHANGED <<contents, plans, done, attempts, history>>

\* The condition of the write. A share that has changed since does not matter.
Runs(id) == Item.rollout.id = id
Stop == stopping /= 0 /\ Runs(stopping) /\ ChangeByTool(Without(Item)) /\ stopping' = 0
  /\ UNCHANGED <<plans, done, attempts, history>>

\* An edit has no condition. It deletes the newest field or all, with or without lowering
\* lastFieldId or ending the rollout, or brings an old content back.
Edits == [fields: {Item.fields \ {Highest(Item.fields)}, {}}, last: {Item.last, 1},
          rollout: {Item.rollout, NoRollout}, change: {Item.change}]
         \union {contents[n] : n \in DOMAIN contents}
EditByHand == \E c \in UNION {ByHand(edit) : edit \in Edits} :
  /\ MayReturnTo(c) /\ Change(c)
  /\ HighestIn(c) < HighestIn(Item) => MayLower
  /\ UNCHANGED <<stopping, plans, done, attempts, history>>

------------------------------------------------------------------------------
(* The recorder. A record arrives at least once, and none before Lambda is done with the one in
   front of it. An invocation that Lambda gave up may still be at an earlier one. An invocation reads
   the newest version and writes the next one, until it finds that there is nothing to do. After the
   version that closes a gap, it knows what it would read. It may die or lose the response after each
   write: then it, or another one, reads again. *)

Is(r, version) == version.position = r /\ version.gap = 0
IsRecorded(r) == \E n \in DOMAIN history : Is(r, history[n])
Arrives(r) == r <= done + 1
\* The newest version is that of the record, or of a later one.
IsSeen(r) == Newest.position >= r

Finish == \E r \in Records : Arrives(r) /\ IsSeen(r) /\ done' = Highest({done, r})
  /\ UNCHANGED <<contents, stopping, plans, attempts, history>>

Read(i) == attempts[i] = NoAttempt /\ \E r \in Records : Arrives(r) /\ ~IsSeen(r)
  /\ attempts' = [attempts EXCEPT ![i] = [record |-> r, seen |-> Len(history)]]
  /\ UNCHANGED <<contents, stopping, plans, done, history>>

\* The newest version is not what the item was before the change, or does not know all of its ids.
KnowsIds(r, seen) == Highest(Recorded(Before(r))) <= HighestUpTo(seen)
IsGap(r, seen) ==
  Identity(history[seen].content) /= Identity(Before(r)) \/ ~KnowsIds(r, seen)

\* The version of a change is its author's if its lastChange is new, of the time of the record, and
\* can have replaced the one before.
IsNew(item, seen) ==
  item.change /= NoChange /\ \A n \in 1..seen : history[n].content.change.id /= item.change.id
IsClose(change, r) == change.at \in (Time(r) - MaxDifference)..(Time(r) + MaxDifference)
Follows(change, before) ==
  before = NoChange \/ change.at > before.at \/ IsFarAhead(before.at, change.at)
IsOwn(r, seen) == LET change == After(r).change IN
  IsNew(After(r), seen) /\ IsClose(change, r) /\ Follows(change, Before(r).change)

\* If the history lacks what the item was before the change, that comes first. It marks a gap, and
\* the record itself is still to be recorded. The records before it are not: they would come late.
Version(r, seen) == IF IsGap(r, seen)
  THEN [content |-> Before(r), position |-> r - 1, gap |-> r, own |-> IsNew(Before(r), seen)]
  ELSE [content |-> After(r), position |-> r, gap |-> 0, own |-> IsOwn(r, seen)]

\* The write of version n has the condition that there is none.
Put(n, version) == IF n \in DOMAIN history THEN history ELSE Append(history, version)

\* After a write, the invocation looks again, whatever became of it.
GoOn(attempt) == NoAttempt
Write(i) == LET attempt == attempts[i] IN
  /\ attempt /= NoAttempt /\ attempts' = [attempts EXCEPT ![i] = GoOn(attempt)]
  /\ history' = Put(attempt.seen + 1, Version(attempt.record, attempt.seen))
  /\ UNCHANGED <<contents, stopping, plans, done>>

\* The record is given up after half a day, expires after a day, or makes the recorder fail.
Lose == done + 1 \in Records /\ ~IsSeen(done + 1) /\ done' = done + 1
  /\ UNCHANGED <<contents, stopping, plans, attempts, history>>

Next ==
  \/ \E o \in Operators :
       \/ PlanPublication(o) \/ PlanRollback(o) \/ PlanStart(o) \/ PlanFinish(o) \/ PlanMerge(o)
       \/ Save(o)
  \/ Widen \/ ReadToStop \/ Stop
  \/ EditByHand
  \/ \E i \in Invocations : Read(i) \/ Write(i)
  \/ Finish \/ Lose
Spec == Init /\ [][Next]_vars
Symmetry == Permutations(Operators) \union Permutations(Invocations)

------------------------------------------------------------------------------
(* Safety. *)

IsPublished(o) == plans[o] /= NoPlan /\ plans'[o] = NoPlan
\* A publication keeps what others have added since its base, and brings nothing back that they have
\* removed. Of a rollback, the base is what the operator was shown. A candidate does so when its
\* rollout starts, and when it becomes live.
NothingIsOverwrittenUnseen == [][\A o \in Operators : IsPublished(o) =>
  LET base == plans[o].base.fields
      after == plans[o].after.fields IN
  /\ (Item.fields \ base) \subseteq after
  /\ (base \ Item.fields) \intersect after = {}]_vars

\* A new field gets an id that no field ever had, live or in a candidate: phones still hold the
\* values of removed fields.
IdsAreNew == [][\A o \in Operators : (IsPublished(o) /\ plans[o].id /= 0) =>
  \A n \in DOMAIN contents :
    plans[o].id \notin contents[n].fields \union Candidate(contents[n])]_vars

\* More devices get nothing that others have removed since the candidate was made, and everything
\* that they have added.
WideningTakesNothingBack == [][Widen =>
  LET base == Base(Item.rollout).fields IN
  /\ (Item.fields \ base) \subseteq Candidate(Item)
  /\ (base \ Item.fields) \intersect Candidate(Item) = {}]_vars

\* Nobody ends a rollout that they have not read, except by hand, and no publication a preview.
NoOtherRolloutEnds == [][
  /\ \A o \in Operators : IsPublished(o) =>
       /\ plans[o].before.rollout = Item.rollout
       /\ (plans[o].step = "publish" /\ IsPreview(Item.rollout)) =>
            contents'[Len(contents')].rollout = Item.rollout
  /\ stopping' < stopping => stopping = Item.rollout.id]_vars

(* Each content is in the history when its record is done. If the record was lost, the next one that
   is recorded marks the gap.
   ACCEPTED: nothing marks a gap after which the content is the same as before it. *)
Later(r) == {s \in Records : s > r /\ IsRecorded(s)}
NextRecorded(r) == CHOOSE s \in Later(r) : \A t \in Later(r) : s <= t
\* By the next one, or by one before it that was lost after it had marked the gap.
IsMarked(r, s) == \E n \in DOMAIN history : history[n].gap \in (r + 1)..s
IsBack(r, s) == \E p \in 1..r :
  Identity(Before(p)) = Identity(Before(s)) /\ \A q \in p..(s - 1) : ~IsRecorded(q)
ContentsAreKept == \A r \in 1..done :
  \/ \E n \in DOMAIN history : history[n].content = After(r)
  \/ Later(r) = {}
  \/ LET s == NextRecorded(r) IN IsMarked(r, s) \/ IsBack(r, s)

\* The number of a version is not given again.
NumbersAreNew == [][\A n \in DOMAIN history : history'[n] = history[n]]_vars

\* Lambda is done with a record that is not lost only if its content, or a later one, is recorded.
ChangesAreRecorded == [][\A r \in Records : (Finish /\ done' = r /\ done < r) =>
  Newest.position > r \/ \E n \in DOMAIN history : history[n].content = After(r)]_vars

(* A change by a clock that is right is its author's, whichever clock made the one before it, and an
   edit by hand is nobody's.
   ACCEPTED: an image whose own record was lost is put back, and its date is no earlier than that of
   the change between: that one had a slower clock, a wrong one, or no date. *)
AuthorsAreRight == \A n \in 2..Len(history) :
  LET version == history[n]
      r == version.position
      change == After(r).change
      before == Before(r).change IN
  version.gap = 0 =>
    /\ (change.id = r /\ IsRight(change.clock)) => version.own
    /\ version.own =>
         \/ change.id = r
         \/ /\ ~IsRecorded(change.id)
            /\ before = NoChange \/ change.at > before.at \/ IsFarAhead(before.at, change.at)

\* The versions have the order of the changes. A record that arrives again, or late, adds none.
Place(version) == IF version.gap = 0 THEN 2 * version.position ELSE 2 * version.gap - 1
VersionsAreInOrder == \A n \in 2..Len(history) : Place(history[n - 1]) < Place(history[n])
==============================================================================
