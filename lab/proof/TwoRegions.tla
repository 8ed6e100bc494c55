------------------------------ MODULE TwoRegions ------------------------------
(* The PromoEvents table as a global table, for one user and one code. Each Region has a replica,
   functions and a queue. docs/regions.md has the design, and PromoEvents.tla explains how to read a
   model. *)
EXTENDS Naturals, FiniteSets

CONSTANTS Regions, Dates  \* a request is its Request-Date

VARIABLES
  replicas,   \* for each Region, the application that its replica has, and when it was written
  arriving,   \* applications that still have to reach the replica of another Region
  clock,      \* the time of the next write
  queues,     \* for each Region, the requests in its queue
  reachable,  \* the Regions that reach the others. The rest are cut off
  told        \* the requests that were told that they applied the code
vars == <<replicas, arriving, clock, queues, reachable, told>>
None == [date |-> "none", at |-> 0]

Init ==
  /\ replicas = [r \in Regions |-> None] /\ arriving = {} /\ clock = 1
  /\ queues = [r \in Regions |-> {}] /\ reachable = Regions /\ told = {}

(* Strong consistency: the condition sees all replicas, each write is in all of them, and a Region
   that is cut off cannot write. The mutants replace these three definitions. *)
CanWrite(r) == r \in reachable
Visible(r) == {replicas[s] : s \in Regions} \ {None}
Receivers(r) == Regions

\* if_not_exists: a write of what is there changes nothing.
Put(r, d) == CanWrite(r) /\ LET new == [date |-> d, at |-> clock] IN
  IF Visible(r) = {}
  THEN /\ replicas' = [s \in Regions |-> IF s \in Receivers(r) THEN new ELSE replicas[s]]
       /\ arriving' = arriving \union {[to |-> s, item |-> new] : s \in Regions \ Receivers(r)}
       /\ clock' = clock + 1
  ELSE UNCHANGED <<replicas, arriving, clock>>
\* The request learns what is there now. A retry of the one that applied the code is told so too.
Tell(r, d) == told' = told \union {i.date : i \in {i \in Visible(r)' : i.date = d}}

Apply(r, d) == Put(r, d) /\ Tell(r, d) /\ UNCHANGED <<queues, reachable>>

\* The table fails, or answers ReplicatedWriteConflictException. Nobody knows what was written.
Queue(r, d) ==
  /\ Put(r, d) \/ UNCHANGED <<replicas, arriving, clock>>
  /\ queues' = [queues EXCEPT ![r] = @ \union {d}] /\ UNCHANGED <<reachable, told>>
StoreQueued(r, d) == d \in queues[r] /\ Put(r, d) /\ Tell(r, d)
  /\ queues' = [queues EXCEPT ![r] = @ \ {d}] /\ UNCHANGED reachable

\* The last writer wins.
Replicate == \E a \in arriving :
  /\ a.to \in reachable /\ arriving' = arriving \ {a}
  /\ replicas' = [replicas EXCEPT ![a.to] = IF a.item.at > @.at THEN a.item ELSE @]
  /\ UNCHANGED <<clock, queues, reachable, told>>

CutOff(r) == r \in reachable /\ reachable' = reachable \ {r}
  /\ UNCHANGED <<replicas, arriving, clock, queues, told>>
Return(r) == r \notin reachable /\ reachable' = reachable \union {r}
  /\ UNCHANGED <<replicas, arriving, clock, queues, told>>

Next == Replicate \/ \E r \in Regions : CutOff(r) \/ Return(r) \/ \E d \in Dates :
  Apply(r, d) \/ Queue(r, d) \/ StoreQueued(r, d)
Spec == Init /\ [][Next]_vars

\* One request applies the code, whichever Regions get requests …
AppliedOnce == Cardinality(told) <= 1
\* … and the application never changes.
NothingChanges == [][\A r \in Regions : replicas[r] /= None => replicas'[r] = replicas[r]]_vars
===============================================================================
