import CustomerData
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Returns what the queue shows in each step of each scenario.
func seenOfQueue(_ file: String) async throws -> String {
    let vectors = try object(file)
    var seen: [[Object]] = []
    for scenario in vectors["scenarios"] as! [Object] {
        let app = App(vectors)
        var steps: [Object] = []
        for step in scenario["steps"] as! [Object] { steps.append(try await app.show(step)) }
        seen.append(steps)
    }
    return line(seen)
}

/// A phone with an app, between the service and a customer that follow a scenario: one step after the other.
final class App: Transport, Storage, @unchecked Sendable {
    private let vectors: Object
    let request: [String: String]
    private let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
    private let files: FileStorage
    private let start: Date
    private var phone: Date
    private var server: Date?
    private var token = "a.b.c"
    private var user: String
    private var answers: [String] = []
    private var seen: Object = [:]
    private var isFull = false
    private var sendsWhenKept = false
    private var queue: PromoCodeQueue!
    private var sending: Task<Void, any Error>!

    init(_ vectors: Object) {
        self.vectors = vectors
        request = vectors["request"] as! [String: String]
        files = FileStorage(folder: folder)
        start = date(vectors["start"] as! String)
        phone = start
        user = request["userId"]!
        queue = newQueue()
    }

    /// Does a step. Returns what it shows.
    func show(_ step: Object) async throws -> Object {
        seen = [:]
        for (name, value) in step {
            switch name {
            case "phone": phone = at(value)
            case "server": server = at(value)
            case "token": token = value as! String
            case "user": user = value as! String
            case "close": await queue.close()
            case "store": try files.write(Data((value as! String).utf8), as: "promo-codes.json")
            case "stop": sending.cancel()
            case "remove": try await queue.remove(queue.waiting()[value as! Int].id)
            case "clear": try await queue.clear()
            case "full": isFull = value as! Bool
            case "sendsWhenKept": sendsWhenKept = true
            case "aside":
                let aside = try files.read("promo-codes unreadable.json")!
                seen["aside"] = try JSONSerialization.jsonObject(with: aside)
            case "add": await add(value as! [String: String], step["times"] as? Int)
            case "send": try await send(value as! [String])
            default: break
            }
            if ["restart", "user"].contains(name) { queue = newQueue() }
        }
        return seen
    }

    private func at(_ hours: Any) -> Date { start.addingTimeInterval((hours as! Double) * 3600) }

    private func newQueue() -> PromoCodeQueue {
        let session = Session(
            baseURL: URL(string: "http://service.test")!, appId: "key", deviceId: nil, idToken: { self.token },
            refreshTokens: { self.count("refreshes") }, transport: self, clock: { self.phone })
        return PromoCodeQueue(
            session: session, storage: self, clientId: request["clientId"]!, userId: user,
            onResult: { self.tell("told", $0) },
            onKept: { result in
                self.tell("kept", result)
                if self.sendsWhenKept { Task { try await self.queue.send() } }
            },
            onUnreadable: { _ in self.count("unreadable") },
            retryTime: 0)
    }

    private func add(_ change: [String: String], _ times: Int?) async {
        let request = request.merging(change) { $1 }
        let add = { code in
            try await self.queue.add(
                PromoCode(
                    code, eventType: request["eventType"]!, source: request["source"]!,
                    promoCodeToken: request["promoCodeToken"]))
        }
        do {
            for code in 0..<(times ?? 0) { _ = try await add("\(code)") }
            if times != nil { return }
            let id = try await add(request["promoCode"]!)
            seen["place"] = try await queue.waiting().firstIndex { $0.id == id }
        } catch {
            seen["error"] = true
        }
    }

    /// On one actor, so that the task begins when it is known.
    @MainActor
    private func send(_ names: [String]) async throws {
        answers = names
        sending = Task { try await queue.send() }
        do {
            try await sending.value
        } catch {
            seen["error"] = true
        }
        for name in answers { see("unsent", name) }
        for code in try await queue.waiting() { see("waiting", code.code.promoCode) }
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let body = try JSONSerialization.jsonObject(with: request.httpBody!) as! Object
        let hours = date(request.value(forHTTPHeaderField: "Request-Date")!).timeIntervalSince(start) / 3600
        see("sent", "\(body["promoCode"]!) \(Int(hours.rounded()))")
        let answer = (vectors["answers"] as! Object)[answers.removeFirst()] as! Object
        switch answer["during"] as? String {
        case "close": await queue.close()
        case "stop": sending.cancel()
        case "remove": try await queue.remove(queue.waiting()[0].id)
        // Not awaited: it waits for its turn.
        case "send": Task { try await queue.send() }
        default: break
        }
        guard let status = answer["status"] as? Int else { throw URLError(.networkConnectionLost) }
        var headers: [String: String] = [:]
        headers["Retry-After"] = answer["retryAfter"] as? String
        if let server {
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "GMT")
            format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
            headers["date"] = format.string(from: server)
        }
        let response = HTTPURLResponse(url: request.url!, statusCode: status, httpVersion: nil, headerFields: headers)!
        return ((answer["body"] as? String).map { Data($0.utf8) } ?? bytes(answer["body"]!), response)
    }

    var id: String { files.id }

    func read(_ name: String) throws -> Data? { try files.read(name) }

    func write(_ data: Data, as name: String) throws {
        if isFull { throw CocoaError(.fileWriteOutOfSpace) }
        try files.write(data, as: name)
    }

    private func see(_ name: String, _ value: String) {
        seen[name] = (seen[name] as? [String] ?? []) + [value]
    }

    private func count(_ name: String) {
        seen[name] = (seen[name] as? Int ?? 0) + 1
    }

    private func tell(_ name: String, _ queued: QueuedResult) {
        see(name, "\(queued.code.promoCode) \(outcome(queued.result))")
    }
}

private func date(_ text: String) -> Date {
    let format = ISO8601DateFormatter()
    format.formatOptions.insert(.withFractionalSeconds)
    return format.date(from: text)!
}

private func outcome(_ result: Result<String, CallFailure>) -> String {
    switch result {
    case .success: "success"
    case .failure(.tokenExpired): "tokenExpired"
    case .failure(.refused): "error"
    case .failure(.notSent), .failure(.notSignedIn): "notSent"
    case .failure(.noAnswer): "noAnswer"
    case .failure(.notUnderstood): "notUnderstood"
    }
}
