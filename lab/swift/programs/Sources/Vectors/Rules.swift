import CustomerData
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Returns which rules hold, of those that the vectors do not have.
func heldRules(_ file: String) async throws -> String {
    let vectors = try object(file)
    let rules: [(String, @Sendable (App) async throws -> Bool)] = [
        ("a refusal with a date in the future keeps a code for seven days", forgetsFuture),
        ("without a token, a code is tried once, and kept", keepsWithoutToken),
        ("a load without a time limit ends, also if there is never a token", endsLoad),
        ("clear leaves nothing of what is no code", clearsUnreadable),
        ("clear empties a file that cannot be read", clearsUnreadableFile),
    ]
    var held: [String: Bool] = [:]
    for (rule, holds) in rules { held[rule] = try await holds(App(vectors)) }
    return line(held)
}

@Sendable private func forgetsFuture(_ app: App) async throws -> Bool {
    let start = "2026-11-20T09:30:00.000Z"
    let request = app.request.merging(["promoCode": "A"]) { $1 }
    let entry = ["id": "a", "request": request, "requestDate": start, "refusedAt": 4e12] as Object
    _ = try await app.show(["store": line([entry])])
    var told: [[String]?] = []
    for hours in [0.0, 168, 169] {
        _ = try await app.show(["server": hours])
        told.append(try await app.show(["send": ["forbidden"]])["told"] as? [String])
    }
    return told == [nil, nil, ["A error"]]
}

@Sendable private func keepsWithoutToken(_ app: App) async throws -> Bool {
    let kept = Results()
    let session = Session(baseURL: service, appId: "key", deviceId: nil, idToken: { nil }, transport: app)
    let queue = PromoCodeQueue(
        session: session, storage: app, clientId: "demo", userId: "demo-user", onKept: { kept.add("\($0.result)") })
    _ = try await queue.add(PromoCode("A", eventType: "promo_applied", source: "profile"))
    try await queue.send()
    let isKept = try await queue.waiting().count == 1
    return isKept && kept.all.count == 1 && kept.all[0].contains("notSignedIn")
}

@Sendable private func endsLoad(_ app: App) async throws -> Bool {
    let results = Results()
    let session = Session(
        baseURL: service, appId: "key", deviceId: nil, idToken: { throw URLError(.userAuthenticationRequired) },
        transport: app)
    let configuration = await session.loadConfiguration(
        clientId: "demo", storage: app, timeout: .infinity, onResult: { results.add("\($0)") })
    // It may come later than nil.
    while results.all.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    return configuration == nil && results.all[0].contains("noAnswer")
}

@Sendable private func clearsUnreadable(_ app: App) async throws -> Bool {
    for stored in ["[{\"promoCode\":\"A\"}]", "[{"] {
        _ = try await app.show(["store": stored])
        _ = try await app.show(["add": ["promoCode": "B"]])
        _ = try await app.show(["store": stored])
        _ = try await app.show(["clear": true])
        for name in names where try app.read(name) != Data("[]".utf8) { return false }
    }
    return true
}

@Sendable private func clearsUnreadableFile(_ app: App) async throws -> Bool {
    _ = try await app.show(["store": "[]"])
    for name in names {
        let file = URL(fileURLWithPath: app.id).appendingPathComponent(name)
        try? FileManager.default.removeItem(at: file)
        // A link to itself.
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: file)
    }
    do {
        _ = try await app.show(["clear": true])
        return try names.allSatisfy { try app.read($0) == Data("[]".utf8) }
    } catch {
        return false
    }
}

/// The codes, and what was set aside.
private let names = ["promo-codes.json", "promo-codes unreadable.json"]
private let service = URL(string: "http://service.test")!

private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [String] = []
    var all: [String] { lock.withLock { results } }

    func add(_ result: String) { lock.withLock { results.append(result) } }
}
