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
