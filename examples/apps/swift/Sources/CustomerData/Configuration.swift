import Foundation

/// The data that an app collects.
public struct Configuration: Sendable {
    private let known: [FormField]
    /// The digest of this configuration: store it with the answers, and let your crash reporter carry it.
    public let configVersion: String?
    /// The language of the texts.
    public let language: String?
    /// The time at which this copy was stored; nil if this is the response of the service.
    public let storedAt: Date?

    /// Returns nil if the bytes are not those of a response of `getConfig`, such as of one that the app was shipped with.
    public init?(response bytes: Data) {
        guard let data = JSON(bytes)?["data"], data["fields"]?.list != nil else { return nil }
        self.init(Response(bytes: bytes, data: data))
    }

    fileprivate init(_ response: Response, storedAt: Date? = nil) {
        known = (response.data["fields"]?.list ?? []).compactMap(FormField.init)
        configVersion = response.configVersion
        language = response.language
        self.storedAt = storedAt
    }

    /// Returns the fields that a screen shows, in their order. Those of a kind that this code does not know, and those that
    /// are malformed, are left out.
    public func fields(for ui: AppUI) -> [FormField] {
        known.filter { $0.isOn(ui) }
    }
}

/// A response as it is stored, byte for byte: a later release of the app may know more of it.
private struct Copy: Codable {
    let response: Data
    let configVersion: String?
    let language: String?
    let storedAt: Date

    /// Returns nil if there is none, or if it is damaged.
    static func configuration(in storage: any Storage, _ name: String) -> Configuration? {
        guard let stored = try? storage.read(name), let copy = try? JSONDecoder().decode(Copy.self, from: stored),
            let data = JSON(copy.response)?["data"]
        else { return nil }
        let response = Response(
            bytes: copy.response, data: data, configVersion: copy.configVersion, language: copy.language)
        return Configuration(response, storedAt: copy.storedAt)
    }
}

extension Session {
    /// Gets the configuration, and stores it. If the service does not answer in time, or with an error, returns the one that
    /// was stored in this language, or else the last one in another language, or nil if there is none. A configuration that
    /// comes later is stored for the next call.
    ///
    /// - Parameters:
    ///   - timeout: longest time to wait for the service, in seconds, at most 25. With 0, the stored one is returned at once.
    ///   - onResult: called with the result of the request, even if it comes later.
    ///   - onUnstored: called if the response cannot be stored.
    public func loadConfiguration(
        clientId: String,
        storage: any Storage,
        timeout: TimeInterval = 2.5,
        onResult: @escaping @Sendable (Result<Configuration, CallFailure>) -> Void = { _ in },
        onUnstored: @escaping @Sendable (any Error) -> Void = { _ in }
    ) async -> Configuration? {
        loads += 1
        let load = loads
        // If nothing is stored and `idToken` always throws, a load would otherwise retry forever.
        let timeout = min(timeout, longestAnswer)
        let languages = acceptLanguage(await languages())
        // Another base URL is another stage, with other fields. The last one in this language, and the last one in any.
        let folder = "configurations/\(fileName(baseURL.absoluteString))/\(fileName(clientId))"
        let names = ["\(folder)/\(fileName(languages)).json", "\(folder)/last.json"]
        let copy = names.lazy.compactMap { Copy.configuration(in: storage, $0) }.first
        let call = Call(
            path: getConfigPath, body: ["clientId": .text(clientId)],
            headers: ["Accept-Language": languages, "Installation-Id": storage.installationId() ?? "0"])
        let loading = Task { () -> Configuration? in
            let answer = await attempt(call, until: elapsed() + timeout, retries: copy == nil ? .max : 1)
            onResult(answer.result.map { Configuration($0) })
            guard case .success(let response) = answer.result else { return nil }
            // The response to an earlier call, also in another language, does not replace that to a later one.
            let key = "\(storage.id) \(folder)"
            if load > stored[key] ?? 0 {
                stored[key] = load
                do {
                    let copy = Copy(
                        response: response.bytes, configVersion: response.configVersion, language: response.language,
                        storedAt: now().date)
                    let bytes = try JSONEncoder().encode(copy)
                    for name in names { try storage.write(bytes, as: name) }
                } catch {
                    onUnstored(error)
                }
            }
            return Configuration(response)
        }
        return await within(timeout) { await loading.value }.flatMap { $0 } ?? copy
    }

    /// Sends a call, and sends it again as often as given, with pauses, until the time is over.
    private func attempt(_ call: Call, until end: TimeInterval, retries: Int) async -> Answer {
        var mostPause = firstPause
        var left = retries
        while true {
            let answer = await attempt(call)
            guard case .failure(let failure) = answer.result, failure.canRetryHelp, left > 0 else { return answer }
            left -= 1
            let pause = answer.retryAfter + .random(in: 0..<mostPause)
            mostPause = min(2 * mostPause, longestPause)
            guard elapsed() + pause < end else { return answer }
            await sleep(pause)
        }
    }
}

/// Returns the value of `Accept-Language`, best first; `*` if no language is known.
private func acceptLanguage(_ languages: [String]) -> String {
    let tags = languages
        // Such as `pt_BR@calendar=buddhist`, the identifier of a locale.
        .map { $0.prefix { $0 != "@" && $0 != "." }.replacingOccurrences(of: "_", with: "-") }
        .filter { $0.range(of: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", options: .regularExpression) != nil }
    return tags.isEmpty ? "*" : tags.prefix(10).joined(separator: ",")
}

private func fileName(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
}
