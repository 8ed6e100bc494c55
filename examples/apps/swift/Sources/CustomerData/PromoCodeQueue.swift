import Foundation

/// Enough to find and correct a wrong setting of a deployment.
private let longestRefusal: TimeInterval = 7 * 24 * 60 * 60
/// A pause that another call of `send` ends has lasted as long: apps call it in loops, too.
private let shortestPause: TimeInterval = 1

public enum QueueError: Error {
    /// 100 codes of the customer wait.
    case full
    /// The customer has signed out: make another queue at the next sign-in.
    case closed
}

/// A promo code in the queue, with the result of the last attempt of this queue; nil before the first one.
public struct QueuedCode: Sendable {
    public let id: String
    public let code: PromoCode
    public let lastResult: Result<String, CallFailure>?
}

/// The result of an attempt to apply a promo code: the outcome `applied`, `repeated` or `queued`, or the failure.
public struct QueuedResult: Sendable {
    public let id: String
    public let code: PromoCode
    public let result: Result<String, CallFailure>
}

/// The promo codes of a customer, which wait in a storage until they can be sent: the queue of the app SDK, in Swift. Make
/// one when the customer signs in, and close it when they sign out. Its functions throw if the storage fails.
public actor PromoCodeQueue {
    private let session: Session
    private let clientId: String
    private let userId: String
    private let stored: StoredCodes
    private let onResult: @Sendable (QueuedResult) -> Void
    private let onKept: @Sendable (QueuedResult) -> Void
    private let onUnreadable: @Sendable (String) -> Void
    private let retryTime: TimeInterval
    private var lastResults: [String: Result<String, CallFailure>] = [:]
    /// The ids of the entries that were reported. One stays in the storage if a write fails.
    private var finished: Set<String> = []
    /// The first failure of the storage that no call of `send` has thrown: it must not keep codes from being sent.
    private var failure: (any Error)?
    /// The time until which the server wants no request, by `elapsed`.
    private var notBefore: TimeInterval = 0
    /// The last attempt that left a code in the queue, and the call of `send` that made it.
    private var lastKept: (at: TimeInterval, call: Int)?
    private var calls = 0
    private var pausing: Task<Void, Never>?
    private var sending: Task<Answer, Never>?
    private var isClosed = false

    /// - Parameters:
    ///   - clientId: the client of the session. The queue does not touch the codes of others.
    ///   - userId: the customer of the session.
    ///   - onResult: called once for each code that leaves the queue after an attempt.
    ///   - onKept: called after each attempt that leaves a code in the queue. Log it: time may not help.
    ///   - onUnreadable: called with each part of the storage that is not a code. It is moved to a file of its own.
    ///   - retryTime: the seconds for which `send` retries.
    public init(
        session: Session,
        storage: any Storage,
        clientId: String,
        userId: String,
        onResult: @escaping @Sendable (QueuedResult) -> Void = { _ in },
        onKept: @escaping @Sendable (QueuedResult) -> Void = { _ in },
        onUnreadable: @escaping @Sendable (String) -> Void = { _ in },
        retryTime: TimeInterval = 60
    ) {
        self.session = session
        self.clientId = clientId
        self.userId = userId
        stored = StoredCodes(storage: storage)
        self.onResult = onResult
        self.onKept = onKept
        self.onUnreadable = onUnreadable
        self.retryTime = retryTime
    }

    /// Stores a code with the current date, also after `close`. Once it returns, the code survives the app. If the same
    /// request waits already, such as after two taps, it stays alone.
    ///
    /// - Returns: the id of the code in the queue.
    public func add(_ code: PromoCode) async throws -> String {
        var request: [String: JSON] = [
            "clientId": .text(clientId), "promoCode": .text(code.promoCode), "userId": .text(userId),
            "eventType": .text(code.eventType), "source": .text(code.source),
        ]
        request["promoCodeToken"] = code.promoCodeToken.map(JSON.text)
        let entry = Entry(id: UUID().uuidString, request: request, requestDate: textOf(await session.now().date))
        var id = entry.id
        try change { entries in
            let own = entries.filter(isOwn)
            if let same = own.first(where: { $0.identity == entry.identity }) {
                id = same.id
                return entries
            }
            if own.count < mostCodes { return entries + [entry] }
            throw QueueError.full
        }
        return id
    }

    /// Sends the codes in the order in which they were added. Call it after `add`, when the app becomes active, and when
    /// the phone is online again. A code that fails by itself does not hold up the others. While no code can be sent, such
    /// as without a connection, it pauses and tries again. Another call ends a pause that has lasted a second. To stop for
    /// now, cancel the task that calls it.
    ///
    /// - Throws: `QueueError.closed` after `close`; what the storage throws, after all that can be sent is.
    public func send() async throws {
        if isClosed { throw QueueError.closed }
        calls += 1
        let call = calls
        pausing?.cancel()
        let end = elapsed() + retryTime
        var mostPause = firstPause
        var round = Round.tooEarly
        /// The ids of the entries that need no further attempt in this call.
        var tried: Set<String> = []
        tidy()
        while round != .done {
            let rest = max(0, notBefore - elapsed())
            if round == .retry || rest > 0 {
                // Phones that lost their connection together must not return together.
                let time = rest + .random(in: 0.001..<mostPause)
                mostPause = min(2 * mostPause, longestPause)
                guard elapsed() + time <= end, await pause(time, call) else { break }
            }
            let early = earliest(call) - elapsed()
            if early > 0, await !pause(early, call) { break }
            round = await sendEach(call, &tried)
        }
        if let failure {
            self.failure = nil
            throw failure
        }
    }

    /// Returns the codes of the customer, in order.
    public func waiting() throws -> [QueuedCode] {
        try own().map { QueuedCode(id: $0.id, code: $0.code, lastResult: lastResults[$0.id]) }
    }

    /// Removes a code of the customer. If it was sent, the service may have accepted it.
    public func remove(_ id: String) throws {
        try change { entries in entries.filter { $0.id != id || !isOwn($0) } }
    }

    /// Removes all codes of the customer, and what is no code: it may be theirs, too. If the storage cannot be read, it is
    /// emptied.
    public func clear() throws {
        try stored.clear { finished.contains($0.id) || isOwn($0) }
    }

    /// Ends the queue: call it when the customer signs out. It ends the request in flight, and no callback is called from
    /// then on: a result that comes later is the next sign-in's. A code that `add` stores then waits for it.
    public func close() {
        isClosed = true
        pausing?.cancel()
        sending?.cancel()
    }

    private enum Round {
        case done
        /// A retry can help.
        case retry
        /// Another call has just made an attempt in vain.
        case tooEarly
    }

    /// The next step after an attempt.
    private enum Step {
        /// Remove the entry, and report its result.
        case finish
        /// Keep it for a while, because a setting or the customer's token may be wrong.
        case refused
        /// Keep it.
        case retry
        /// Keep it and those after it, because they would fail too.
        case stop
    }

    private enum Turn: Sendable {
        case tooEarly
        case nothingToSend
        case sent(_ id: String, Step, canRetryHelp: Bool)
    }

    /// Returns false if another call, `close` or a cancellation has ended the pause.
    private func pause(_ seconds: TimeInterval, _ call: Int) async -> Bool {
        let mayGoOn = { call == self.calls && !self.isClosed && !Task.isCancelled }
        guard mayGoOn() else { return false }
        let pause = Task { await sleep(seconds) }
        pausing = pause
        await pause.sharedFate
        return mayGoOn()
    }

    /// The time before which a call makes no attempt, because another one has just made one in vain.
    private func earliest(_ call: Int) -> TimeInterval {
        if let lastKept, lastKept.call != call { lastKept.at + shortestPause } else { 0 }
    }

    /// Sends each entry once, except those already tried.
    private func sendEach(_ call: Int, _ tried: inout Set<String>) async -> Round {
        var retried: Set<String> = []
        sending: while true {
            // A turn for each entry: another queue of the app waits for one attempt only.
            let turn = Turns.shared.next("\(stored.storage.id) send") { [tried] in await self.sendNext(call, tried) }
            switch await turn.sharedFate {
            case .tooEarly: return .tooEarly
            case .nothingToSend: break sending
            case .sent(let id, let step, let canRetryHelp):
                tried.insert(id)
                if canRetryHelp { retried.insert(id) }
                if step == .stop { break sending }
            }
        }
        tried.subtract(retried)
        return retried.isEmpty ? .done : .retry
    }

    /// Sends the next entry once, and reports what became of it.
    private func sendNext(_ call: Int, _ tried: Set<String>) async -> Turn {
        if earliest(call) > elapsed() { return .tooEarly }
        // Read each time: entries may be added and removed while one is sent.
        guard !isClosed, !Task.isCancelled, let entry = tryOwn()?.first(where: { !tried.contains($0.id) })
        else { return .nothingToSend }
        let sending = Task { [session] in
            await session.attempt(Call(path: applyPath, body: entry.request), date: entry.requestDate) { date in
                await self.store(date, of: entry.id)
            }
        }
        self.sending = sending
        let answer = await sending.sharedFate
        self.sending = nil
        // If it was recorded, the next call or sign-in sends it under the same date, and gets the same result.
        if isClosed || Task.isCancelled { return .nothingToSend }
        notBefore = elapsed() + answer.retryAfter
        let result = answer.result.map { $0.data["outcome"]?.text ?? "" }
        // Removed while it was sent.
        let isGone = tryOwn().map { !$0.contains { $0.id == entry.id } } ?? false
        let step = isGone ? .finish : nextStep(entry, answer)
        let queued = QueuedResult(id: entry.id, code: entry.code, result: result)
        if step == .finish {
            tryChange { entries in entries.filter { $0.id != entry.id } }
            finished.insert(entry.id)
            lastResults[entry.id] = nil
            if !isGone { onResult(queued) }
        } else {
            lastResults[entry.id] = result
            lastKept = (elapsed(), call)
            onKept(queued)
        }
        var canRetryHelp = false
        if case .failure(let failure) = result { canRetryHelp = failure.canRetryHelp }
        return .sent(entry.id, step, canRetryHelp: canRetryHelp)
    }

    /// Stores a new date before it is sent, because the app can end at any time. Returns false if the entry was removed, or
    /// cannot be stored.
    private func store(_ date: String, of id: String) -> Bool {
        var known: Entry?
        let isStored = tryChange { entries in
            known = entries.first { $0.id == id }
            return entries.map { entry in
                var entry = entry
                if entry.id == id { entry.requestDate = date }
                return entry
            }
        }
        // With another token, the date may be stored already.
        return known != nil && (isStored || known?.requestDate == date)
    }

    private func nextStep(_ entry: Entry, _ answer: Answer) -> Step {
        guard case .failure(let failure) = answer.result else { return .finish }
        guard case .refused(let error) = failure, answer.retryAfter == 0 else { return .stop }
        // A defect may concern one code; another retryable error is that of the whole service.
        if error.isRetryable { return error.code == "InternalServerError" ? .retry : .stop }
        // Only the code itself can be refused for ever. A gateway refuses headers and paths without a pointer into the body.
        let isBodyWrong = error.code == "ValidationException" && error.problems.contains { $0.pointer?.isEmpty == false }
        if isBodyWrong || error.code == "PayloadTooLargeException" { return .finish }
        guard let serverTime = answer.serverTime else { return .refused }
        // The phone's clock may have been wrong at either time.
        let now = serverTime.timeIntervalSince1970 * 1000
        // A time that is yet to come is that of a proxy.
        let refusedAt = min(entry.refusedAt ?? now, now)
        if now - refusedAt > longestRefusal * 1000 { return .finish }
        if entry.refusedAt != refusedAt {
            tryChange { entries in
                entries.map { stored in
                    var stored = stored
                    if stored.id == entry.id { stored.refusedAt = refusedAt }
                    return stored
                }
            }
        }
        return .refused
    }

    /// Moves what is no code, and removes what was reported.
    private func tidy() {
        do {
            if try !finished.isEmpty || !stored.read().unreadable.isEmpty { try change { $0 } }
        } catch {
            failure = failure ?? error
        }
    }

    private func own() throws -> [Entry] {
        try stored.read().entries.filter { !finished.contains($0.id) && isOwn($0) }
    }

    private func change(_ changed: ([Entry]) throws -> [Entry]) throws {
        let unreadable = try stored.change { entries in
            try changed(entries.filter { !finished.contains($0.id) })
        }
        if isClosed { return }
        for part in unreadable {
            onUnreadable((try? JSONEncoder().encode(part)).map { String(decoding: $0, as: UTF8.self) } ?? "")
        }
    }

    /// The codes of the customer; nil if the storage fails.
    private func tryOwn() -> [Entry]? {
        do {
            return try own()
        } catch {
            failure = failure ?? error
            return nil
        }
    }

    /// Changes the stored entries. Returns false if the storage fails.
    @discardableResult
    private func tryChange(_ changed: ([Entry]) -> [Entry]) -> Bool {
        do {
            try change(changed)
            return true
        } catch {
            failure = failure ?? error
            return false
        }
    }

    private func isOwn(_ entry: Entry) -> Bool {
        isSame(entry["clientId"], clientId) && isSame(comparable(entry["userId"]), comparable(userId))
    }
}

/// Returns a user id as the service compares it: without the case of a UUID.
private func comparable(_ userId: String) -> String {
    UUID(uuidString: userId)?.uuidString ?? userId
}

extension Entry {
    fileprivate var code: PromoCode {
        PromoCode(
            self["promoCode"], eventType: self["eventType"], source: self["source"],
            promoCodeToken: request["promoCodeToken"]?.text
        )
    }
}
