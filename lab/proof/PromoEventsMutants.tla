---- MODULE PromoEventsMutants ----
\* The mistakes that npm run proof makes in PromoEvents.tla, one at a time: the definitions of a
\* mutant replace those of the same names.
EXTENDS PromoEvents

\* AnswerBeforeTheWrite violates AnswersAreTrue in PromoEvents.calls.cfg.
\* The function answers before it writes.
AnswerBeforeTheWrite_Send(r) ==
  /\ Len(calls) < MaxCalls
  /\ calls' = Append(calls, [user |-> r.user, code |-> r.code, date |-> r.date,
                             device |-> TRUE, at |-> "apply", told |-> "applied", fate |-> "kept"])
  /\ UNCHANGED <<table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>

\* BusAnswerIsNotRead violates NothingIsUnpublished in PromoEvents.events.cfg.
\* The publisher does not read the answer for one entry of a call.
BusAnswerIsNotRead_Kept(r) == {}

\* CopyBeforeErasures violates NothingIsLost in PromoEvents.restore.cfg.
\* The erasures are repeated after the copy, which found the key of an erased item taken.
CopyBeforeErasures_EraseAgain ==
  /\ GoOnRestoring("frozen", "erased", restore.items \union {i \in table : IsLacking(i)})
  /\ OnlyRestore
CopyBeforeErasures_CopyItems ==
  GoOnRestoring("erased", "copied", {i \in restore.items : ~HasEnded(i)}) /\ OnlyRestore

\* CopyByTimeOfReceipt violates NothingIsLost in PromoEvents.restore.cfg.
\* The copy takes only what was received since the restore point.
CopyByTimeOfReceipt_RestorePoint ==
  /\ restore.at = "no"
  /\ restore' = [at |-> "point", items |-> table, calls |-> Len(calls)]
  /\ OnlyRestore
CopyByTimeOfReceipt_IsLacking(i) == i.by > restore.calls /\ ~\E j \in restore.items : HasKeyOf(i, j)

\* DeathBetweenTwoWrites violates NothingIsLost in PromoEvents.calls.cfg.
\* The storing function dies before it writes the repetition, and the message counts as stored.
DeathBetweenTwoWrites_StoreRefuses(c) == \E m \in Of(c, Writes) :
  At(m, IF m.at = "repeat" THEN "stored" ELSE "hidden") /\ OnlyMessages

\* DeviceOfALaterRequest violates NothingChanges in PromoEvents.devices.cfg.
\* A function that stores no device id leaves the attribute out, which a later write then sets.
DeviceOfALaterRequest_PutApplied(c) ==
  IF Applied(table, c) = {} THEN table \union {Item(c, "applied")}
  ELSE {IF i \in Applied(table, c) /\ calls[c].device THEN [i EXCEPT !.device = TRUE] ELSE i :
        i \in table}

\* ErasedIsPublishedLate violates EventsAreStored in PromoEvents.events.cfg.
\* The publisher does not look late records up in the markers.
ErasedIsPublishedLate_IsDropped(r) == FALSE

\* ErasureByAFastClock violates NothingIsLost in PromoEvents.erasure.cfg.
\* An erasure is dated by the clock of the operator's laptop, which is fast.
ErasureByAFastClock_Clock == Len(calls) + 1

\* ErasureByASlowClock violates ErasedIsGone in PromoEvents.erasure.cfg.
\* An erasure is dated by the clock of the operator's laptop, which is slow.
ErasureByASlowClock_Clock == IF calls = <<>> THEN 0 ELSE Len(calls) - 1

\* ErasureForgetsDeadLetters violates ErasedIsGone in PromoEvents.erasure.cfg.
\* The marker is deleted with the end of the erasure, and a dead letter is moved back later.
ErasureForgetsDeadLetters_EraseItemsAgain(u) ==
  /\ erasing[u] = "searched" /\ HaveEnded(u)
  /\ \A m \in messages : calls[m.call].user = u => m.at = "dead"
  /\ erasing' = [erasing EXCEPT ![u] = "done"] /\ SearchTable(u)
  /\ erasedAt' = [erasedAt EXCEPT ![u] = 0]
  /\ UNCHANGED <<calls, messages, stream, dead, bus, restore>>

\* ErasureIgnoresMessagesInFlight violates ErasedIsGone in PromoEvents.erasure.cfg.
\* The erasure searches again at once, while functions store what they received before the marker.
ErasureIgnoresMessagesInFlight_HaveEnded(u) == TRUE

\* ErasureRemovesWhatCameLater violates NothingIsLost in PromoEvents.erasure.cfg.
\* The erasure removes whatever the user has, also what came after the marker.
ErasureRemovesWhatCameLater_IsToRemove(i, u) == i.user = u

\* ExpiredItemsAreRestored violates NothingIsLost in PromoEvents.full-restore.cfg.
\* The restored table keeps items that have expired since the restore point.
ExpiredItemsAreRestored_HasEnded(i) == IsErasedItem(i)

\* FunctionPublishes violates EventsAreStored in PromoEvents.events.cfg.
\* The function publishes the event itself, before it writes.
FunctionPublishes_Send(r) ==
  /\ Len(calls) < MaxCalls
  /\ calls' = Append(calls, [user |-> r.user, code |-> r.code, date |-> r.date,
                             device |-> TRUE, at |-> "apply", told |-> "nothing", fate |-> "kept"])
  /\ bus' = bus \union {[user |-> r.user, code |-> r.code, date |-> r.date,
                         kind |-> "applied", by |-> Len(calls) + 1,
                         token |-> FALSE]}
  /\ UNCHANGED <<table, messages, stream, dead, erasing, erasedAt, applications, restore>>

\* IdentityIsTakenFromTheCode violates AppliedOnce in PromoEvents.case.cfg.
\* The storing function takes the identity from the code, as one that does not know it.
IdentityIsTakenFromTheCode_EventIdentity(c) ==
  IF calls[c].at = "over" THEN calls[c].code ELSE Identity(calls[c].code)

\* ImportIsPublished violates ImportsAreNoNews in PromoEvents.import.cfg.
\* The stream has no filter: what was imported is published as news.
ImportIsPublished_IsNews(i) == TRUE

\* ImportLooksOnce violates ErasedIsGone in PromoEvents.import.cfg.
\* The import does not read the markers again after it has written.
ImportLooksOnce_LooksAgain(c) == FALSE

\* ItemExpiresEarly violates AppliedOnce in PromoEvents.queue.cfg.
\* The retention of items is shorter than the time that a request can be late.
ItemExpiresEarly_MayExpire(i) == TRUE

\* LetterIgnoresMarkers violates EventsAreStored in PromoEvents.events.cfg.
\* The publisher publishes an item of a moved letter that the erasure is about to remove.
LetterIgnoresMarkers_Published(i) == {j \in table : HasKeyOf(i, j)}

\* LetterIsDeletedUnpublished violates NothingIsUnpublished in PromoEvents.events.cfg.
\* The publisher takes a moved letter for done before its event is published.
LetterIsDeletedUnpublished_IsToDelete(i) == TRUE

\* LetterIgnoresImports violates ImportsAreNoNews in PromoEvents.import.cfg.
\* The publisher publishes an item that was imported since the item of a moved letter expired.
LetterIgnoresImports_Published(i) ==
  IF IsErasedItem(i) THEN {} ELSE {j \in table : HasKeyOf(i, j) /\ ~IsErasedItem(j)}

\* LetterOfAnErasedItem violates EventsAreStored in PromoEvents.events.cfg.
\* The publisher publishes what a moved letter has, without a look into the table.
LetterOfAnErasedItem_Published(i) == {i}

\* MarkerAfterTheSearch violates ErasedIsGone in PromoEvents.erasure.cfg.
\* The marker is written after the table was searched.
MarkerAfterTheSearch_Marked(u) == erasedAt
MarkerAfterTheSearch_IsToRemove(i, u) == i.user = u
MarkerAfterTheSearch_EraseItemsAgain(u) ==
  /\ erasing[u] = "searched" /\ HaveEnded(u)
  /\ erasing' = [erasing EXCEPT ![u] = "done"] /\ erasedAt' = [erasedAt EXCEPT ![u] = Clock]
  /\ UNCHANGED <<calls, table, messages, stream, dead, bus, applications, restore>>

\* MessageIgnoresMarkers violates ErasedIsGone in PromoEvents.erasure.cfg.
\* The function does not look messages up in the markers, of which SQS knows none.
MessageIgnoresMarkers_Step(c) == "apply"

\* MessageIsDeletedFirst violates NothingIsLost in PromoEvents.calls.cfg.
\* The message is deleted when it is received, before the event is stored.
MessageIsDeletedFirst_StoreRefuses(c) == \E m \in Of(c, Writes) : Change(m, {}) /\ OnlyMessages

\* NoDeadLetters violates NothingIsLost in PromoEvents.calls.cfg.
\* The queue has no dead-letter queue: a message is gone after its last receive.
NoDeadLetters_VisibilityEnds(c) == \E m \in Of(c, {"hidden"}) :
  /\ IF m.receives < MaxReceive THEN At(m, "waiting") ELSE Change(m, {})
  /\ OnlyMessages

\* OnlyLaterErasuresAreRepeated violates ErasedIsGone in PromoEvents.restore.cfg.
\* Only erasures that began after the restore point are repeated.
OnlyLaterErasuresAreRepeated_RestorePoint ==
  /\ restore.at = "no"
  /\ restore' = [at |-> "point", items |-> table, begun |-> {u \in Users : erasing[u] # "no"}]
  /\ OnlyRestore
OnlyLaterErasuresAreRepeated_HasEnded(i) ==
  \/ IsErasedItem(i) /\ i.user \notin restore.begun
  \/ calls[i.by].fate = "expired"

\* QueueErrorIsIgnored violates NothingIsLost in PromoEvents.calls.cfg.
\* The function answers with success although the queue refused the message.
QueueErrorIsIgnored_QueueRefuses(c) ==
  /\ IsAt(c, {"queue"}) /\ Answer(c, "queued")
  /\ UNCHANGED <<table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>

\* ReadBeforeTheWrite violates AppliedOnce in PromoEvents.calls.cfg.
\* The function first reads whether the code was applied, and writes if it was not.
ReadBeforeTheWrite_Send(r) ==
  /\ Len(calls) < MaxCalls
  /\ calls' = Append(calls, [user |-> r.user, code |-> r.code, date |-> r.date,
       device |-> TRUE, at |-> IF \E i \in table : IsOf(i, r) THEN "repeat" ELSE "apply",
       told |-> "nothing", fate |-> "kept"])
  /\ UNCHANGED <<table, messages, stream, dead, bus, erasing, erasedAt, applications, restore>>
ReadBeforeTheWrite_PutApplied(c) == (table \ Applied(table, c)) \union {Item(c, "applied")}

\* RepetitionIsNotStored violates AnswersAreTrue in PromoEvents.calls.cfg.
\* The function answers that the code was applied before, and stores nothing.
RepetitionIsNotStored_PutRepeated(c) == table

\* RepetitionWithoutItsCondition violates NothingChanges in PromoEvents.calls.cfg.
\* A repetition is written without the condition that there is none.
RepetitionWithoutItsCondition_PutRepeated(c) ==
  (table \ Repeated(table, c)) \union {Item(c, "repeated")}

\* RetryIsARepetition violates RetriesAreNotRepeated in PromoEvents.calls.cfg.
\* The function takes every application that it did not make itself for another request's.
RetryIsARepetition_IsOwn(items, c) == \A i \in Applied(items, c) : i.by = c

\* ReturningUserIsDropped violates NothingIsLost in PromoEvents.erasure.cfg.
\* The function drops every message of an erased user, also what was received later.
ReturningUserIsDropped_Step(c) == IF erasing[calls[c].user] # "no" THEN "stored" ELSE "apply"

\* SecondWriteWithoutItsCondition violates ItemsAreWhole in PromoEvents.expired-paths.cfg.
\* The second write of an application has no condition: it creates one without its token.
SecondWriteWithoutItsCondition_AskForApplied(c) == IF Applied(table, c) # {} THEN table
  ELSE table \union {[Item(c, "applied") EXCEPT !.token = FALSE]}

\* TableIsNotFrozen violates NothingIsLost in PromoEvents.restore.cfg.
\* The table takes writes while it is copied.
TableIsNotFrozen_IsFrozen == FALSE

\* TableIsSearchedOnce violates ErasedIsGone in PromoEvents.erasure.cfg.
\* The erasure does not search the table again.
TableIsSearchedOnce_EraseItemsAgain(u) ==
  /\ erasing[u] = "searched" /\ HaveEnded(u)
  /\ erasing' = [erasing EXCEPT ![u] = "done"]
  /\ UNCHANGED <<calls, table, messages, stream, dead, bus, erasedAt, applications, restore>>

\* TokenOfALaterRequest violates NothingChanges in PromoEvents.expired-paths.cfg.
\* The first write of an application has no condition: it adds the token of a later request.
TokenOfALaterRequest_PutApplied(c) ==
  IF Applied(table, c) = {} THEN table \union {Item(c, "applied")}
  ELSE {IF i \in Applied(table, c) /\ HasToken(c) THEN [i EXCEPT !.token = TRUE] ELSE i :
        i \in table}

\* UnreadableMarkerIsNone violates ErasedIsGone in PromoEvents.erasure.cfg.
\* The function takes markers that it cannot read for none.
UnreadableMarkerIsNone_AtUnreadable(c) == "apply"

\* WriteWithoutItsCondition violates NothingChanges in PromoEvents.calls.cfg.
\* The application is written without if_not_exists.
WriteWithoutItsCondition_PutApplied(c) == (table \ Applied(table, c)) \union {Item(c, "applied")}
====
