---------------------------- MODULE PromoEvents ----------------------------
(* The path of a promo event, from the app to the event bus, with everything that can go wrong on
   it. TLC, the model checker, computes every state that can be reached by any order of the actions
   below, and reports the shortest way to a state that breaks a property.

   How to read it: an action is a formula. x' is the value of the variable x after the action, x the
   value before. /\ is "and", \/ is "or"; [r EXCEPT !.at = "queue"] is a copy of r with another
   value. \E tries every choice.

   What needs no action: a process that dies takes no further step, and every action is optional.
   An app that loses its response sends the request again, so the model lets it send at any time.
   A write that times out and lands later does what the same request does when it is sent again.

   What is left out: the expiry of a marker, which a message that is older than 44 days does not
   outlive, and that its time never decreases; the accident before a restore, which deletes items;
   the second event of an item that was copied; the moment in which the publisher has read the item
   of a letter, and has not published it; a switch of the case of codes; and what an event has of its
   item. *)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS Users, Codes, Dates,  \* a request is a user, a code and a Request-Date
          WithToken,            \* the dates of the requests that have a promoCodeToken
          StoreDeviceIds,       \* the values of the setting, each of some function that runs
          MaxCalls,             \* how many calls the apps make in total, retries included
          MaxReceive,           \* how often the queue delivers a message: maxReceiveCount
          Actors                \* what happens besides calls: "queue" (the table fails), "redrive",
                                \* "publisher" (with its redrive), "erasure", "expiry", "restore",
                                \* "import"

VARIABLES
  calls,        \* the calls of promoCode/apply and imported rows so far, in the order of arrival
  table,        \* the items of the PromoEvents table
  messages,     \* the messages in the queue and in its dead-letter queue
  stream,       \* records of items that are still to be published; a late one is looked up
  dead,         \* dead letters of the bus, and those that were moved to the queue of the publisher
  bus,          \* items that were published
  erasing,      \* for each user, where `user erase` is: no, marked, searched, done
  erasedAt,     \* for each user, the marker: the number of calls received before the erasure
  applications, \* how often each code was applied to each user: only AppliedOnce uses it
  restore       \* at: how far the restore is; items: those of the restored table
vars == <<calls, table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>

Requests == [user: Users, code: Codes, date: Dates]
Sent == DOMAIN calls
Request(c) == [user |-> calls[c].user, code |-> calls[c].code, date |-> calls[c].date]
\* What a code is to a customer. Of a client for which case does not count, all codes here are one
\* code, typed with another shift key: its configuration replaces Identity by OneIdentity.
Identity(code) == code
OneIdentity(code) == CHOOSE one \in Codes : TRUE
IsOf(i, r) == i.user = r.user /\ Identity(i.code) = Identity(r.code)
HasKeyOf(i, j) == /\ i.user = j.user /\ i.identity = j.identity
                  /\ i.kind = j.kind /\ (i.kind = "applied" \/ i.date = j.date)

Init ==
  /\ calls = <<>> /\ table = {} /\ messages = {} /\ stream = {} /\ dead = {} /\ bus = {}
  /\ erasing = [u \in Users |-> "no"] /\ erasedAt = [u \in Users |-> 0]
  /\ applications = [u \in Users, k \in Codes |-> 0]
  /\ restore = [at |-> "no", items |-> {}]

------------------------------------------------------------------------------
(* The table. All writes are conditional: the item of an application is never replaced, and one
   repetition is stored for each other date. `by` is the call that the item was made from.

   If the application has no token, and the request has one, the first write is refused, because it
   would add the token. The second one, without it, asks for the application, and writes nothing. It
   is refused if the application is gone by then.

   `device` says whether the event of a call has the device id of its request. Otherwise it has an
   empty one, so no write adds the attribute. A function of the last release is as one that stores
   device ids. *)

HasToken(c) == calls[c].date \in WithToken
\* The identity in the event of a call: ApplyPromoCode adds it, and the message has it.
EventIdentity(c) == Identity(calls[c].code)
Item(c, kind) == [user |-> calls[c].user, code |-> calls[c].code, identity |-> EventIdentity(c),
                  date |-> calls[c].date, kind |-> kind, by |-> c, token |-> HasToken(c),
                  device |-> calls[c].device]
HasKeyFor(i, c, kind) ==
  i.kind = kind /\ i.user = calls[c].user /\ i.identity = EventIdentity(c)
Applied(items, c) == {i \in items : HasKeyFor(i, c, "applied")}
Repeated(items, c) == {i \in items : HasKeyFor(i, c, "repeated") /\ i.date = calls[c].date}

PutApplied(c) == IF Applied(table, c) = {} THEN table \union {Item(c, "applied")} ELSE table
PutRepeated(c) == IF Repeated(table, c) = {} THEN table \union {Item(c, "repeated")} ELSE table
AskForApplied(c) == table
Put(step, c) == CASE step = "apply" -> PutApplied(c)
                  [] step = "ask" -> AskForApplied(c)
                  [] step = "repeat" -> PutRepeated(c)
Writes == {"apply", "ask", "repeat"}

\* A row of a file is as a call that nobody is told of.
IsImport(c) == calls[c].told = "imported"
IsImported(i) == IsImport(i.by)
\* The filter of the stream: what was imported is no news.
IsNews(i) == ~IsImported(i)
\* The new content of the table. The stream gets a record of each new item.
Write(items) ==
  /\ table' = items
  /\ stream' = IF "publisher" \in Actors
               THEN stream \union {[item |-> i, late |-> FALSE] :
                                   i \in {j \in items \ table : IsNews(j)}}
               ELSE stream
  /\ applications' = [u \in Users, k \in Codes |-> applications[u, k] + Cardinality(
       {i \in items \ table : i.kind = "applied" /\ i.user = u /\ Identity(i.code) = k})]

\* A policy denies all writes to the table while what it has is copied into the restored one.
IsFrozen == restore.at \in {"frozen", "erased", "copied"}

\* What the function learns from the response: is the application this request's, or another's?
IsOwn(items, c) == \A i \in Applied(items, c) : i.date = calls[c].date
WouldAddToken(c) == HasToken(c) /\ \E i \in Applied(table, c) : ~i.token
\* The next step of the function: "gone" if the write is refused, "done" if the event is stored.
StepAfter(step, items, c) ==
  CASE step = "repeat" -> "done"
    [] step = "apply" /\ WouldAddToken(c) -> "ask"
    [] step = "ask" /\ Applied(items, c) = {} -> "gone"
    [] OTHER -> IF IsOwn(items, c) THEN "done" ELSE "repeat"

------------------------------------------------------------------------------
(* App and ApplyPromoCode. `at` is the next step of the function, `told` its answer. *)

\* What the marker of a user says: was this call received before the erasure? A row was.
IsErasedCall(c) ==
  IF IsImport(c) THEN erasing[calls[c].user] # "no" ELSE c <= erasedAt[calls[c].user]
\* A request that is sent again during an erasure may find the item that is about to be removed, and
\* be answered as if it stayed: nothing is promised for it. A new request stays.
Fate(r) == IF erasing[r.user] \notin {"no", "done"}
              /\ \E c \in Sent : Request(c) = r /\ IsErasedCall(c) THEN "either" ELSE "kept"
\* Retention is longer than a request can be late: the service refuses a date as old as that.
IsTooOld(r) == \E c \in Sent : Request(c) = r /\ calls[c].fate = "expired"

Send(r) ==
  /\ Len(calls) < MaxCalls /\ ~IsTooOld(r)
  /\ \E setting \in StoreDeviceIds :
       calls' = Append(calls, [user |-> r.user, code |-> r.code, date |-> r.date,
                               device |-> setting,
                               at |-> "apply", told |-> "nothing", fate |-> Fate(r)])
  /\ UNCHANGED <<table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>

IsAt(c, steps) == c \in Sent /\ calls[c].at \in steps
GoOn(c, step) == calls' = [calls EXCEPT ![c].at = step]
Answer(c, told) == calls' = [calls EXCEPT ![c].at = "over", ![c].told = told]

TableTakes(c) ==
  /\ IsAt(c, Writes) /\ ~IsFrozen /\ Write(Put(calls[c].at, c))
  /\ LET next == StepAfter(calls[c].at, table', c) IN
       CASE next = "done" -> Answer(c, IF calls[c].at = "repeat" THEN "repeated" ELSE "applied")
         [] next = "gone" -> GoOn(c, "queue")
         [] OTHER -> GoOn(c, next)
  /\ UNCHANGED <<messages, dead, bus, erasing, erasedAt, restore>>
TableRefuses(c) ==
  /\ "queue" \in Actors /\ IsAt(c, Writes) /\ GoOn(c, "queue")
  /\ UNCHANGED <<table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>
\* The table writes, and the function does not learn it.
TableLosesResponse(c) ==
  /\ "queue" \in Actors /\ IsAt(c, Writes) /\ ~IsFrozen /\ GoOn(c, "queue")
  /\ Write(Put(calls[c].at, c))
  /\ UNCHANGED <<messages, dead, bus, erasing, erasedAt, restore>>

Message(c) == [call |-> c, at |-> "waiting", receives |-> 0]
QueueTakes(c) ==
  /\ IsAt(c, {"queue"}) /\ Answer(c, "queued") /\ messages' = messages \union {Message(c)}
  /\ UNCHANGED <<table, stream, dead, bus, erasing, erasedAt, applications, restore>>
QueueRefuses(c) ==
  /\ IsAt(c, {"queue"}) /\ Answer(c, "failed")
  /\ UNCHANGED <<table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>
QueueLosesResponse(c) ==
  /\ IsAt(c, {"queue"}) /\ Answer(c, "failed") /\ messages' = messages \union {Message(c)}
  /\ UNCHANGED <<table, stream, dead, bus, erasing, erasedAt, applications, restore>>

------------------------------------------------------------------------------
(* Queue and StoreQueuedPromoEvents. A message waits, is received (apply, ask, repeat: the next write
   of the function), is stored, and is then deleted. If anything fails, it is hidden until its
   visibility timeout ends. After the last receive it becomes a dead letter. *)

Of(c, steps) == {m \in messages : m.call = c /\ m.at \in steps}
Change(m, changed) == messages' = (messages \ {m}) \union changed
At(m, step) == Change(m, {[m EXCEPT !.at = step]})
OnlyMessages ==
  UNCHANGED <<calls, table, stream, dead, bus, erasing, erasedAt, applications, restore>>

\* The function looks the user up in the markers first. An erased event it takes for stored. It has
\* a setting of its own.
Step(c) == IF IsErasedCall(c) THEN "stored" ELSE "apply"
Receive(c) == \E m \in Of(c, {"waiting"}), setting \in StoreDeviceIds :
  /\ Change(m, {[m EXCEPT !.at = Step(c), !.receives = @ + 1]})
  /\ calls' = [calls EXCEPT ![c].device = @ /\ setting]
  /\ UNCHANGED <<table, stream, dead, bus, erasing, erasedAt, applications, restore>>
\* If it cannot read the markers, the message stays.
AtUnreadable(c) == "hidden"
MarkerIsUnreadable(c) == \E m \in Of(c, {"waiting"}) :
  /\ "erasure" \in Actors
  /\ Change(m, {[m EXCEPT !.at = AtUnreadable(c), !.receives = @ + 1]}) /\ OnlyMessages
StoreTakes(c) == \E m \in Of(c, Writes) :
  /\ ~IsFrozen /\ Write(Put(m.at, c))
  /\ LET next == StepAfter(m.at, table', c) IN
       At(m, CASE next = "done" -> "stored" [] next = "gone" -> "hidden" [] OTHER -> next)
  /\ UNCHANGED <<calls, dead, bus, erasing, erasedAt, restore>>
StoreRefuses(c) == \E m \in Of(c, Writes) : At(m, "hidden") /\ OnlyMessages
StoreLosesResponse(c) == \E m \in Of(c, Writes) :
  /\ ~IsFrozen /\ Write(Put(m.at, c)) /\ At(m, "hidden")
  /\ UNCHANGED <<calls, dead, bus, erasing, erasedAt, restore>>
Delete(c) == \E m \in Of(c, {"stored"}) : Change(m, {}) /\ OnlyMessages
DeleteFails(c) == \E m \in Of(c, {"stored"}) : At(m, "hidden") /\ OnlyMessages
DeadLetter(m) == [m EXCEPT !.at = "dead", !.receives = 0]
VisibilityEnds(c) == \E m \in Of(c, {"hidden"}) :
  /\ IF m.receives < MaxReceive THEN At(m, "waiting")
     ELSE Change(m, {DeadLetter(m)})
  /\ OnlyMessages

------------------------------------------------------------------------------
(* Stream, publisher and bus. The publisher gets new items only, so it needs nothing but the item. *)

OnlyEvents == UNCHANGED <<calls, table, messages, erasing, erasedAt, applications, restore>>
IsErasedItem(i) == IsErasedCall(i.by)
\* A record that is older than a minute is looked up in the markers.
RecordGetsLate == \E r \in stream : ~r.late
  /\ stream' = (stream \ {r}) \union {[r EXCEPT !.late = TRUE]}
  /\ UNCHANGED <<dead, bus>> /\ OnlyEvents
IsDropped(r) == r.late /\ IsErasedItem(r.item)
BusTakes == \E r \in stream : ~IsDropped(r)
  /\ bus' = bus \union {r.item} /\ stream' = stream \ {r} /\ dead' = dead /\ OnlyEvents
ErasedIsDropped == \E r \in stream : IsDropped(r)
  /\ stream' = stream \ {r} /\ UNCHANGED <<dead, bus>> /\ OnlyEvents
\* The publisher dies, or does not learn that the bus has the event: the record comes again.
BusLosesResponse == \E r \in stream : ~IsDropped(r)
  /\ bus' = bus \union {r.item} /\ UNCHANGED <<stream, dead>> /\ OnlyEvents
\* The bus takes the call, and answers that it cannot take this entry: the record stays.
Kept(r) == {r}
BusCannotTake == \E r \in stream : ~IsDropped(r)
  /\ stream' = (stream \ {r}) \union Kept(r) /\ UNCHANGED <<dead, bus>> /\ OnlyEvents
\* Letters of the bus: "dead" in its dead-letter queue, "moved" there with a copy, and "waiting" in
\* the queue of the publisher, which has one copy at most.
Letter(i, at) == [item |-> i, at |-> at]
LettersAt(at) == {l.item : l \in {l \in dead : l.at = at}}
\* The bus refuses the event for good, or could not take it for most of a day.
BecomesDeadLetter == \E r \in stream : ~IsDropped(r)
  /\ stream' = stream \ {r} /\ dead' = dead \union {Letter(r.item, "dead")}
  /\ bus' = bus /\ OnlyEvents

------------------------------------------------------------------------------
(* The operator: queue redrive, of both kinds, and user erase. SQS moves the letters: it sends a copy,
   deletes the letter then, and may do so again. It knows no marker, and the functions drop what is
   erased. *)

\* "moved" is a dead letter that has a copy, in flight. To keep the model small, a letter is moved
\* when no other message of its call is left.
RedriveSends(c) == \E m \in Of(c, {"dead"}) :
  /\ "redrive" \in Actors /\ \A n \in messages : n.call = c => n = m
  /\ Change(m, {[m EXCEPT !.at = "moved"], Message(c)}) /\ OnlyMessages
RedriveDeletes(c) == \E m \in Of(c, {"moved"}) : Change(m, {}) /\ OnlyMessages
\* The copy is sent, and SQS does not learn it or stops: the letter is moved again.
RedriveRepeats(c) == \E m \in Of(c, {"moved"}) : At(m, "dead") /\ OnlyMessages

OnlyLetters == stream' = stream /\ OnlyEvents
RedriveSendsLetter == \E i \in LettersAt("dead") :
  /\ dead' = (dead \ {Letter(i, "dead")}) \union {Letter(i, "moved"), Letter(i, "waiting")}
  /\ bus' = bus /\ OnlyLetters
RedriveDeletesLetter == \E i \in LettersAt("moved") :
  dead' = dead \ {Letter(i, "moved")} /\ bus' = bus /\ OnlyLetters
RedriveRepeatsLetter == \E i \in LettersAt("moved") :
  dead' = (dead \ {Letter(i, "moved")}) \union {Letter(i, "dead")} /\ bus' = bus /\ OnlyLetters

\* A moved letter is published as the table has its item now, unless either is erased, or the item
\* was imported. The message is deleted after that: a publisher that dies in between publishes it
\* again.
Published(i) == IF IsErasedItem(i) THEN {}
                ELSE {j \in table : HasKeyOf(i, j) /\ ~IsErasedItem(j) /\ ~IsImported(j)}
IsToDelete(i) == Published(i) \subseteq bus
PublisherPublishesLetter == \E i \in LettersAt("waiting") :
  bus' = bus \union Published(i) /\ dead' = dead /\ OnlyLetters
LetterIsDeleted == \E i \in LettersAt("waiting") :
  IsToDelete(i) /\ dead' = dead \ {Letter(i, "waiting")} /\ bus' = bus /\ OnlyLetters
\* After the last receive it is a dead letter again.
LetterReturns == \E i \in LettersAt("waiting") :
  dead' = (dead \ {Letter(i, "waiting")}) \union {Letter(i, "dead")} /\ bus' = bus /\ OnlyLetters

\* The time of AWS, by which calls are dated, too.
Clock == Len(calls)
\* The marker comes first. The erasure has to remove what was answered before it began.
Marked(u) == [erasedAt EXCEPT ![u] = Clock]
EraseBegins(u) ==
  /\ "erasure" \in Actors /\ erasing[u] = "no"
  /\ erasing' = [erasing EXCEPT ![u] = "marked"] /\ erasedAt' = Marked(u)
  /\ calls' = [c \in Sent |-> IF calls[c].user # u THEN calls[c] ELSE
       [calls[c] EXCEPT !.fate = IF calls[c].at = "over" THEN "erased" ELSE "either"]]
  /\ UNCHANGED <<table, messages, stream, dead, bus, applications, restore>>
\* A search of the table removes what the marker says, and nothing that came later.
IsToRemove(i, u) == i.user = u /\ IsErasedItem(i)
SearchTable(u) ==
  LET left == {i \in table : ~IsToRemove(i, u)} IN
  /\ ~IsFrozen /\ table' = left
  /\ applications' = [v \in Users, k \in Codes |-> IF v # u THEN applications[v, k] ELSE
       Cardinality({i \in left : i.kind = "applied" /\ i.user = u /\ Identity(i.code) = k})]
EraseItems(u) ==
  /\ erasing[u] = "marked" /\ erasing' = [erasing EXCEPT ![u] = "searched"] /\ SearchTable(u)
  /\ UNCHANGED <<calls, messages, stream, dead, bus, erasedAt, restore>>
\* After their time-out, the functions have ended that did not know the marker, and their writes
\* have arrived.
HaveEnded(u) ==
  /\ \A c \in Sent : calls[c].user = u /\ IsErasedCall(c) => calls[c].at \notin Writes
  /\ \A m \in messages : calls[m.call].user = u /\ IsErasedCall(m.call) =>
                          m.at \notin Writes
EraseItemsAgain(u) ==
  /\ erasing[u] = "searched" /\ HaveEnded(u)
  /\ erasing' = [erasing EXCEPT ![u] = "done"] /\ SearchTable(u)
  /\ UNCHANGED <<calls, messages, stream, dead, bus, erasedAt, restore>>

------------------------------------------------------------------------------
(* promo import. It reads the markers, writes what the table lacks, and reads the markers again. If
   it dies before that, the row is not over: the next run goes on. *)

ImportReads(u, k) ==
  /\ "import" \in Actors /\ Len(calls) < MaxCalls /\ erasing[u] = "no"
  /\ calls' = Append(calls, [user |-> u, code |-> k, date |-> "before", device |-> FALSE,
                             at |-> "import", told |-> "imported", fate |-> "kept"])
  /\ UNCHANGED <<table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>
ImportWrites(c) ==
  /\ IsAt(c, {"import"}) /\ ~IsFrozen /\ GoOn(c, "look") /\ Write(PutApplied(c))
  /\ UNCHANGED <<messages, dead, bus, erasing, erasedAt, restore>>
LooksAgain(c) == erasing[calls[c].user] # "no"
ImportLooksAgain(c) ==
  /\ IsAt(c, {"look"}) /\ GoOn(c, "over")
  /\ IF LooksAgain(c) THEN SearchTable(calls[c].user) ELSE UNCHANGED <<table, applications>>
  /\ UNCHANGED <<messages, stream, dead, bus, erasing, erasedAt, restore>>

------------------------------------------------------------------------------
(* Expiry, after times that are longer than all others: a dead letter after 14 days, an item after
   promoEventRetentionDays, when no copy of its own request can be on its way. Another request for its
   code can, so an application may expire between any two writes for that one. *)

LetterExpires(c) == \E m \in Of(c, {"dead"}) :
  /\ "expiry" \in Actors /\ Change(m, {})
  /\ calls' = [calls EXCEPT ![c].fate = IF @ = "kept" THEN "lapsed" ELSE @]
  /\ UNCHANGED <<table, stream, dead, bus, erasing, erasedAt, applications, restore>>

IsFor(i, c) == IsOf(i, calls[c]) /\ calls[c].date = i.date
IsOnItsWay(i) ==
  \/ \E c \in Sent : IsFor(i, c) /\ calls[c].at # "over"
  \/ \E m \in messages : IsFor(i, m.call)
MayExpire(i) == ~IsOnItsWay(i)
ItemExpires == \E i \in table :
  /\ "expiry" \in Actors /\ MayExpire(i) /\ table' = table \ {i}
  /\ calls' = [c \in Sent |-> IF IsFor(i, c) THEN [calls[c] EXCEPT !.fate = "expired"]
                              ELSE calls[c]]
  /\ applications' = IF i.kind = "repeated" \/ IsOnItsWay(i) THEN applications
                     ELSE [applications EXCEPT ![i.user, Identity(i.code)] = 0]
  /\ UNCHANGED <<messages, stream, dead, bus, erasing, erasedAt, restore>>

------------------------------------------------------------------------------
(* A restore: the items of some moment are in a new table. The table is frozen, and promo copy
   brings the new one up to date. Then the deployment uses it. *)

GoOnRestoring(from, to, items) ==
  /\ "restore" \in Actors /\ restore.at = from
  /\ restore' = [restore EXCEPT !.at = to, !.items = items]
OnlyRestore ==
  UNCHANGED <<calls, table, messages, stream, dead, bus, erasing, erasedAt, applications>>
\* What must not come back. What the table still has is copied in any case: a call that overlapped
\* with an erasure may have left it, and a retry after the erasure may rely on it.
HasEnded(i) == IsErasedItem(i) \/ calls[i.by].fate = "expired"
IsLacking(i) == ~\E j \in restore.items : HasKeyOf(i, j)

RestorePoint == GoOnRestoring("no", "point", table) /\ OnlyRestore
Freeze == GoOnRestoring("point", "frozen", restore.items) /\ OnlyRestore
EraseAgain ==
  GoOnRestoring("frozen", "erased", {i \in restore.items : ~HasEnded(i)}) /\ OnlyRestore
CopyItems ==
  /\ GoOnRestoring("erased", "copied", restore.items \union {i \in table : IsLacking(i)})
  /\ OnlyRestore
Switch ==
  /\ GoOnRestoring("copied", "over", {}) /\ table' = restore.items
  /\ UNCHANGED <<calls, messages, stream, dead, bus, erasing, erasedAt, applications>>

------------------------------------------------------------------------------
Next ==
  \/ \E r \in Requests : Send(r)
  \/ \E c \in 1..MaxCalls :
       \/ TableTakes(c) \/ TableRefuses(c) \/ TableLosesResponse(c)
       \/ QueueTakes(c) \/ QueueRefuses(c) \/ QueueLosesResponse(c)
       \/ Receive(c) \/ MarkerIsUnreadable(c)
       \/ StoreTakes(c) \/ StoreRefuses(c) \/ StoreLosesResponse(c)
       \/ Delete(c) \/ DeleteFails(c) \/ VisibilityEnds(c)
       \/ RedriveSends(c) \/ RedriveDeletes(c) \/ RedriveRepeats(c)
       \/ LetterExpires(c)
  \/ \E u \in Users, k \in Codes : ImportReads(u, k)
  \/ \E c \in 1..MaxCalls : ImportWrites(c) \/ ImportLooksAgain(c)
  \/ RecordGetsLate \/ BusTakes \/ ErasedIsDropped \/ BusLosesResponse \/ BusCannotTake
  \/ BecomesDeadLetter \/ RedriveSendsLetter \/ RedriveDeletesLetter \/ RedriveRepeatsLetter
  \/ PublisherPublishesLetter \/ LetterIsDeleted \/ LetterReturns
  \/ \E u \in Users : EraseBegins(u) \/ EraseItems(u) \/ EraseItemsAgain(u)
  \/ ItemExpires
  \/ RestorePoint \/ Freeze \/ EraseAgain \/ CopyItems \/ Switch
Spec == Init /\ [][Next]_vars
\* Users, codes and dates are interchangeable: TLC need not try each order of them.
Symmetry == Permutations(Users) \union Permutations(Codes) \union Permutations(Dates)

------------------------------------------------------------------------------
(* Safety. A property of a state, or, with a prime, of a step. *)

IsAccepted(c) == calls[c].told \in {"applied", "repeated", "queued"} /\ calls[c].fate = "kept"
HasItem(c) == \E i \in table : IsOf(i, calls[c]) /\ i.date = calls[c].date
HasMessage(c) == \E m \in messages : Request(m.call) = Request(c)

\* What was accepted is in the table, the queue or the dead letters, until it expires or is erased.
NothingIsLost == \A c \in Sent : IsAccepted(c) => HasItem(c) \/ HasMessage(c)
\* A code is applied to a user at most once …
AppliedOnce == \A u \in Users, k \in Codes : applications[u, k] <= 1
\* … an item never changes …
NothingChanges == [][\A i \in table, j \in table' : HasKeyOf(i, j) => i = j]_vars
\* … and an item has the token of its request, and of no other.
ItemsAreWhole == \A i \in table : i.token = HasToken(i.by)
\* The answer does not claim more than what is durable.
AnswersAreTrue == \A c \in Sent : IsAccepted(c) =>
  /\ calls[c].told = "applied" => \E i \in Applied(table, c) : i.date = calls[c].date
  /\ calls[c].told = "repeated" => Repeated(table, c) # {}
\* A retry of the request that applied the code is not told that it repeats another one, unless
\* that one has expired or was erased while the request was on its way: both were true then.
IsGone(c) == \E d \in Sent :
  IsOf(calls[d], calls[c]) /\ calls[d].fate \in {"expired", "erased", "either"}
RetriesAreNotRepeated == [][\A c \in Sent :
  (calls'[c].told = "repeated" /\ calls[c].told = "nothing" /\ calls[c].fate = "kept") =>
    IsGone(c) \/ \A i \in Applied(table, c) : i.date # calls[c].date]_vars
\* An event on the bus is that of a stored item. An event may be published within a minute after the
\* erasure of its user, and not later.
InTime == {r.item : r \in {r \in stream : ~(r.late /\ IsErasedItem(r.item))}}
EventsAreStored ==
  [][bus' \ bus \subseteq (InTime \union {i \in table : ~IsErasedItem(i)})]_vars
\* What is stored is on the bus, in the stream or in the dead letters, unless it is erased or was
\* imported …
NothingIsUnpublished == "publisher" \in Actors => \A i \in table : IsImported(i) \/
  i \in bus \/ IsErasedItem(i) \/ i \in {r.item : r \in stream} \/ i \in {l.item : l \in dead}
\* … of which the bus hears nothing.
ImportsAreNoNews == \A i \in bus : ~IsImported(i)
\* Once `user erase` has succeeded, nothing comes back into the table that it had to remove.
\* Messages may stay in the queues, and the item of a row for which no import has looked again.
IsErased(c) == /\ erasing[calls[c].user] = "done"
               /\ calls[c].fate = "erased" \/ (IsImport(c) /\ calls[c].at = "over")
ErasedIsGone == \A c \in Sent : IsErased(c) => \A i \in table : i.by # c

------------------------------------------------------------------------------
(* Liveness, if no process stops for ever. The operator does nothing by himself. *)

Fairness ==
  /\ \A c \in 1..MaxCalls : /\ WF_vars(Receive(c)) /\ WF_vars(StoreTakes(c) \/ StoreRefuses(c))
                            /\ WF_vars(Delete(c)) /\ WF_vars(VisibilityEnds(c))
                            /\ WF_vars(RedriveDeletes(c))
  /\ WF_vars(BusTakes \/ ErasedIsDropped \/ BecomesDeadLetter)
FairSpec == Spec /\ Fairness
IsWaiting(c) == IF c \in Sent THEN IsAccepted(c) /\ ~HasItem(c) ELSE FALSE
IsDead(c) == Of(c, {"dead"}) # {}
\* What is accepted, or moved back, is stored or becomes a dead letter.
AcceptedIsStored == \A c \in 1..MaxCalls : IsWaiting(c) ~> (~IsWaiting(c) \/ IsDead(c))
RedrivenIsStored == \A c \in 1..MaxCalls :
  (Of(c, {"moved"}) # {}) ~> (IsDead(c) \/ (c \in Sent /\ HasItem(c)))
\* What is stored is published or becomes a dead letter.
StoredIsPublished == (stream # {}) ~> (stream = {})
=============================================================================
