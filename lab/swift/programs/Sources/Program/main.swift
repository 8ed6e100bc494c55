import CustomerData
import Foundation

/* Adds codes to a queue, and sends them until none waits. Prints each step. After a write, it waits for a line. */

struct SlowStorage: Storage {
    let files = FileStorage(folder: URL(fileURLWithPath: setting("FOLDER")))

    var id: String { files.id }

    func read(_ name: String) throws -> Data? { try files.read(name) }

    func write(_ data: Data, as name: String) throws {
        try files.write(data, as: name)
        say("wrote")
        _ = readLine()
    }
}

/// The token of a customer, which has expired.
actor Tokens {
    private(set) var token = setting("EXPIRED_TOKEN")

    func refresh() {
        token = setting("ID_TOKEN")
    }
}

let tokens = Tokens()
let session = Session(
    baseURL: URL(string: setting("API_URL"))!,
    appId: "demo-app-key",
    deviceId: nil,
    idToken: { await tokens.token },
    refreshTokens: { await tokens.refresh() }
)
let queue = PromoCodeQueue(
    session: session, storage: SlowStorage(), clientId: "demo", userId: setting("USER_ID"), retryTime: 0
)
for code in CommandLine.arguments.dropFirst() {
    _ = try await queue.add(PromoCode(code, eventType: "promo_applied", source: "profile"))
    say("added")
}
while try await !queue.waiting().isEmpty { try await queue.send() }

func setting(_ name: String) -> String {
    guard let value = ProcessInfo.processInfo.environment[name] else { fatalError("The variable \(name) is not set.") }
    return value
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
