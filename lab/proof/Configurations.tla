---------------------------- MODULE Configurations ----------------------------
(* The configuration of one client: operators publish it and roll it back, somebody edits it by
   hand, and the recorder (RecordConfigurationVersions) writes the history. PromoEvents.tla explains
   how to read a model.

   A content is the set of the ids of its fields, and lastFieldId. Contents with the same digest are
   the same content here.

   What needs no action: a plan or an attempt that is given up or refused is as good as never made,
   because it has changed nothing. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Operators,
          Invocations,  \* of the recorder: one that Lambda gave up may still run beside the next
          MaxChanges    \* how often the item changes

VARIABLES
  contents,  \* what the item has contained. The last one is live, and record r of the stream is the
             \* change from contents[r] to contents[r + 1]
  plans,     \* for each operator, the planned change that waits for its confirmation
  done,      \* how many records Lambda does not deliver again: the first so many
  attempts,  \* for each invocation, its record and the number of the newest version that it read
  history    \* the versions: history[n] is version n
vars == <<contents, plans, done, attempts, history>>

Item == contents[Len(contents)]
Before(r) == contents[r]
After(r) == contents[r + 1]
Records == 1..(Len(contents) - 1)
Newest == history[Len(history)]

Highest(ids) == CHOOSE i \in ids \union {0} : \A j \in ids : j <= i
HighestIn(c) == Highest(c.fields \union {c.last})

NoPlan == [id |-> 0]
NoAttempt == [record |-> 0, seen |-> 0]
First == [fields |-> {1}, last |-> 1]

Init ==
  /\ contents = <<First>> /\ plans = [o \in Operators |-> NoPlan] /\ done = 0
  /\ attempts = [i \in Invocations |-> NoAttempt]
  /\ history = <<[content |-> First, position |-> 0, gap |-> 0]>>

------------------------------------------------------------------------------
(* The operators. Only a publication and an edit by hand change the item. *)

MayChange == Len(contents) <= MaxChanges
Change(c) == MayChange /\ c /= Item /\ contents' = Append(contents, c)

\* A new field gets an id above all that the item and the history know. Each version takes over the
\* highest id of the one before: here, those are the ids in all versions.
HighestEver == Highest({HighestIn(history[n].content) : n \in DOMAIN history})
NextId == Highest({HighestIn(Item), HighestEver}) + 1

(* ACCEPTED: ids that the history has not seen yet are forgotten if an edit by hand or a rollback
   brings back what the newest version has: nothing shows that there was anything in between. And
   nobody lowers the ids by hand while an operator confirms a plan. mutants/BackToTheNewest.tla and
   mutants/LoweredEarly.tla show why. *)
HighestOf(cs) == Highest({HighestIn(c) : c \in cs})
IsForgotten(cs, c) == HighestOf(cs) > Highest({HighestIn(c), HighestEver})
MayReturnTo(c) ==
  c = Newest.content => ~IsForgotten({contents[n] : n \in DOMAIN contents}, c)
MayLower == \A o \in Operators : plans[o] = NoPlan

Plan(o, base, id, fields, last) ==
  /\ MayChange /\ plans[o] = NoPlan
  /\ plans' = [plans EXCEPT ![o] = [base |-> base, before |-> Item, id |-> id,
                                   after |-> [fields |-> fields, last |-> last]]]
  /\ UNCHANGED <<contents, done, attempts, history>>

\* An id is given only if the history has what is live.
HasCaughtUp == Newest.content = Item

\* The operator has pulled the configuration at any time before, and adds a field to it. If somebody
\* has changed it since, both changes are merged. That needs the base, which the history must have.
Merge(base, mine, theirs) == (theirs \ (base \ mine)) \union (mine \ base)
PlanPublication(o) == \E n \in DOMAIN contents :
  LET base == contents[n]
      mine == base.fields \union {NextId} IN
  /\ HasCaughtUp
  /\ base = Item \/ \E v \in DOMAIN history : history[v].content = base
  /\ Plan(o, base, NextId, Merge(base.fields, mine, Item.fields), NextId)

PlanRollback(o) == \E v \in DOMAIN history : LET old == history[v].content IN
  Plan(o, Item, 0, old.fields, Highest({old.last, Item.last}))

\* The condition of the write. It compares the content, and nothing else.
IsUnchanged(plan) == Item = plan.before

Publish(o) == LET plan == plans[o] IN
  /\ plan /= NoPlan /\ IsUnchanged(plan) /\ MayReturnTo(plan.after) /\ Change(plan.after)
  /\ plans' = [plans EXCEPT ![o] = NoPlan] /\ UNCHANGED <<done, attempts, history>>

\* An edit has no condition. It deletes the newest field or all, with or without lowering
\* lastFieldId, or brings an old content back.
Edits == [fields: {Item.fields \ {Highest(Item.fields)}, {}}, last: {Item.last, 1}]
         \union {contents[n] : n \in DOMAIN contents}
EditByHand == \E c \in Edits :
  /\ MayReturnTo(c) /\ Change(c)
  /\ HighestIn(c) < HighestIn(Item) => MayLower
  /\ UNCHANGED <<plans, done, attempts, history>>

------------------------------------------------------------------------------
(* The recorder. A record arrives at least once, and none before Lambda is done with the one in
   front of it. An invocation that Lambda gave up may still be at an earlier one. An invocation reads
   the newest version and writes the next one, until it finds that there is nothing to do. It may die
   or lose the response after each write: then it, or another one, reads again. *)

Is(r, version) == version.position = r /\ version.gap = 0
IsRecorded(r) == \E n \in DOMAIN history : Is(r, history[n])
Arrives(r) == r <= done + 1
\* The newest version is that of the record, or of a later one.
IsSeen(r) == Newest.position >= r

Finish == \E r \in Records : Arrives(r) /\ IsSeen(r) /\ done' = Highest({done, r})
  /\ UNCHANGED <<contents, plans, attempts, history>>

Read(i) == attempts[i] = NoAttempt /\ \E r \in Records : Arrives(r) /\ ~IsSeen(r)
  /\ attempts' = [attempts EXCEPT ![i] = [record |-> r, seen |-> Len(history)]]
  /\ UNCHANGED <<contents, plans, done, history>>

IsGap(r, newest) == newest.content /= Before(r)

\* If the history lacks what the item was before the change, that comes first. It marks a gap, and
\* the record itself is still to be recorded. The records before it are not: they would come late.
Version(r, newest) == IF IsGap(r, newest)
  THEN [content |-> Before(r), position |-> r - 1, gap |-> r]
  ELSE [content |-> After(r), position |-> r, gap |-> 0]

\* The write of version n has the condition that there is none.
Put(n, version) == IF n \in DOMAIN history THEN history ELSE Append(history, version)

\* After a write, the invocation looks again, whatever became of it.
GoOn(attempt) == NoAttempt
Write(i) == LET attempt == attempts[i] IN
  /\ attempt /= NoAttempt /\ attempts' = [attempts EXCEPT ![i] = GoOn(attempt)]
  /\ history' = Put(attempt.seen + 1, Version(attempt.record, history[attempt.seen]))
  /\ UNCHANGED <<contents, plans, done>>

\* The record is given up after half a day, expires after a day, or makes the recorder fail.
Lose == done + 1 \in Records /\ ~IsSeen(done + 1) /\ done' = done + 1
  /\ UNCHANGED <<contents, plans, attempts, history>>

Next ==
  \/ \E o \in Operators : PlanPublication(o) \/ PlanRollback(o) \/ Publish(o)
  \/ EditByHand
  \/ \E i \in Invocations : Read(i) \/ Write(i)
  \/ Finish \/ Lose
Spec == Init /\ [][Next]_vars
Symmetry == Permutations(Operators) \union Permutations(Invocations)

------------------------------------------------------------------------------
(* Safety. *)

IsPublished(o) == plans[o] /= NoPlan /\ plans'[o] = NoPlan
\* A publication keeps what others have added since its base, and brings nothing back that they have
\* removed. Of a rollback, the base is what the operator was shown.
NothingIsOverwrittenUnseen == [][\A o \in Operators : IsPublished(o) =>
  LET base == plans[o].base.fields
      after == plans[o].after.fields IN
  /\ (Item.fields \ base) \subseteq after
  /\ (base \ Item.fields) \intersect after = {}]_vars

\* A new field gets an id that no field ever had: phones still hold the values of removed fields.
IdsAreNew == [][\A o \in Operators : (IsPublished(o) /\ plans[o].id /= 0) =>
  \A n \in DOMAIN contents : plans[o].id \notin contents[n].fields]_vars

(* Each content is in the history when its record is done. If the record was lost, the next one that
   is recorded marks the gap.
   ACCEPTED: nothing marks a gap after which the content is the same as before it. *)
Later(r) == {s \in Records : s > r /\ IsRecorded(s)}
NextRecorded(r) == CHOOSE s \in Later(r) : \A t \in Later(r) : s <= t
IsMarked(s) == \E n \in DOMAIN history : history[n].gap = s
IsBack(r, s) == \E p \in 1..r :
  Before(p) = Before(s) /\ \A q \in p..(s - 1) : ~IsRecorded(q)
ContentsAreKept == \A r \in 1..done :
  \/ \E n \in DOMAIN history : history[n].content = After(r)
  \/ Later(r) = {}
  \/ LET s == NextRecorded(r) IN IsMarked(s) \/ IsBack(r, s)

\* The number of a version is not given again.
NumbersAreNew == [][\A n \in DOMAIN history : history'[n] = history[n]]_vars

\* Lambda is done with a record that is not lost only if its content, or a later one, is recorded.
ChangesAreRecorded == [][\A r \in Records : (Finish /\ done' = r /\ done < r) =>
  Newest.position > r \/ \E n \in DOMAIN history : history[n].content = After(r)]_vars

\* The versions have the order of the changes. A record that arrives again, or late, adds none.
Place(version) == IF version.gap = 0 THEN 2 * version.position ELSE 2 * version.gap - 1
VersionsAreInOrder == \A n \in 2..Len(history) : Place(history[n - 1]) < Place(history[n])
==============================================================================
