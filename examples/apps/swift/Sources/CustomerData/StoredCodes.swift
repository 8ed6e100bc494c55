import Foundation

/// Of a customer. With the longest tokens, they need half a megabyte.
let mostCodes = 100

/// A promo code as it is stored.
struct Entry: Sendable {
    let id: String
    /// The body of the request, as it is sent.
    let request: [String: JSON]
    var requestDate: String
    /// The server's time when it first refused the entry, in milliseconds since 1970.
    var refusedAt: Double?

    init(id: String, request: [String: JSON], requestDate: String) {
        self.id = id
        self.request = request
        self.requestDate = requestDate
    }

    /// Returns the entry that is stored as a value; nil if the value is none.
    init?(_ stored: JSON) {
        guard let id = stored["id"]?.text, let date = stored["requestDate"]?.text, isDate(date),
            case .object(let request)? = stored["request"],
            ["clientId", "promoCode", "userId", "eventType", "source"].allSatisfy({ request[$0]?.text != nil })
        else { return nil }
        let token = request["promoCodeToken"]
        let refusedAt = stored["refusedAt"]
        guard token == nil || token?.isNull == true || token?.text != nil, refusedAt == nil || refusedAt?.number != nil
        else { return nil }
        self.init(id: id, request: request, requestDate: date)
        self.refusedAt = refusedAt?.number
    }

    var json: JSON {
        var properties: [String: JSON] = ["id": .text(id), "request": .object(request), "requestDate": .text(requestDate)]
        properties["refusedAt"] = refusedAt.map(JSON.number)
        return .object(properties)
    }

    subscript(name: String) -> String { request[name]?.text ?? "" }

    /// The properties that two requests of a customer share if they are the same but for the date, as bytes: texts are
    /// equal in Swift if they look the same.
    var identity: [String: [UInt8]] {
        var properties = request.mapValues { Array(($0.text ?? "").utf8) }
        properties["promoCode"] = Array(self["promoCode"].trimmed.precomposedStringWithCanonicalMapping.utf8)
        properties["userId"] = nil
        // An empty token counts as none.
        return properties.filter { !$0.value.isEmpty }
    }
}

/// The codes of all customers in a storage, in the form of the app SDK.
struct StoredCodes: Sendable {
    private static let codes = "promo-codes.json"
    private static let unreadable = "promo-codes unreadable.json"
    let storage: any Storage

    /// Returns the entries, and the parts that are none.
    func read() throws -> (entries: [Entry], unreadable: [JSON]) {
        var entries: [Entry] = []
        var unreadable: [JSON] = []
        for stored in try list(Self.codes) {
            if let entry = Entry(stored), !entries.contains(where: { $0.id == entry.id }) {
                entries.append(entry)
            } else {
                unreadable.append(stored)
            }
        }
        return (entries, unreadable)
    }

    /// Changes the stored entries. Each change writes all of them. Returns the parts that are none, which are moved to
    /// another file.
    func change(_ changed: ([Entry]) throws -> [Entry]) throws -> [JSON] {
        try storageLock.withLock {
            let (entries, found) = try read()
            if !found.isEmpty {
                try write((try list(Self.unreadable) + found).suffix(mostCodes), as: Self.unreadable)
            }
            try write(try changed(entries).map(\.json), as: Self.codes)
            return found
        }
    }

    /// Removes the codes for which a function returns true, and what is unreadable: it may be of the same customer.
    func clear(_ isRemoved: (Entry) -> Bool) throws {
        try storageLock.withLock {
            // What cannot be read can be replaced.
            let entries = (try? read().entries) ?? []
            try write(entries.filter { !isRemoved($0) }.map(\.json), as: Self.codes)
            try write([], as: Self.unreadable)
        }
    }

    /// Returns the elements of a stored list; what is none counts as its only element.
    private func list(_ name: String) throws -> [JSON] {
        guard let bytes = try storage.read(name), !bytes.isEmpty else { return [] }
        let stored = JSON(bytes) ?? .text(String(decoding: bytes, as: UTF8.self))
        return stored.list ?? [stored]
    }

    private func write(_ list: [JSON], as name: String) throws {
        try storage.write(try JSONEncoder().encode(list), as: name)
    }
}

private func isDate(_ text: String) -> Bool {
    let format = ISO8601DateFormatter()
    if format.date(from: text) != nil { return true }
    format.formatOptions.insert(.withFractionalSeconds)
    return format.date(from: text) != nil
}
