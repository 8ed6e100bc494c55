import Foundation

/// The caller and the service. Keep one per signed-in customer: it remembers how far the clock is off.
public actor Session {
    /// A correction of the clock.
    struct Lead: Equatable, Sendable {
        let id: UUID
        /// The lead of the server's clock over the phone's.
        let seconds: TimeInterval
        /// True if the service has accepted a date with it.
        var isRight = false
    }

    nonisolated let baseURL: URL
    nonisolated let appId: String
    nonisolated let deviceId: String?
    nonisolated let idToken: @Sendable () async throws -> String?
    nonisolated let languages: @Sendable () async -> [String]
    nonisolated let transport: any Transport
    private let refreshTokens: (@Sendable () async throws -> Void)?
    private let clock: @Sendable () -> Date
    private var lead: Lead?
    private var refreshing: Task<Bool, Never>?
    /// The number of configurations that were asked for, and of the last one that was stored of each client.
    var loads = 0
    var stored: [String: Int] = [:]

    /// - Parameters:
    ///   - baseURL: the output `ApiUrl` of a deployment.
    ///   - deviceId: the advertising id from the app's first installation. If there is none, the service gets zeros.
    ///   - idToken: returns this customer's current ID token, never another customer's; nil if they are not signed in, which
    ///     no retry changes. If it throws, such as without a connection, the request is tried again as after a lost one.
    ///   - refreshTokens: refreshes the tokens, so that `idToken` returns a new one. Called if the service says that it has
    ///     expired, once for all calls that wait.
    ///   - languages: returns the language that the customer chose in the app, or else those of the phone. Called for each
    ///     configuration, which waits for it.
    ///   - clock: the clock of the phone, for tests.
    public init(
        baseURL: URL,
        appId: String,
        deviceId: String?,
        idToken: @escaping @Sendable () async throws -> String?,
        refreshTokens: (@Sendable () async throws -> Void)? = nil,
        languages: @escaping @Sendable () async -> [String] = { Locale.preferredLanguages },
        transport: any Transport = URLSessionTransport(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.baseURL = baseURL
        self.appId = appId
        self.deviceId = deviceId
        self.idToken = idToken
        self.refreshTokens = refreshTokens
        self.languages = languages
        self.transport = transport
        self.clock = clock
    }

    /// Returns the current time, corrected by the clock of earlier responses, and the correction.
    func now() -> (date: Date, lead: Lead?) {
        (clock().addingTimeInterval(lead?.seconds ?? 0), lead)
    }

    /// Learns from an answer to a date how far the clock is off. A lead that the service has never accepted is forgotten
    /// when it is refused: the `Date` of its response may be that of a proxy.
    ///
    /// - Parameter used: the correction of the date.
    func learn(from answer: Answer, to used: Lead?) {
        switch answer.result {
        case .success:
            if used?.id == lead?.id { lead?.isRight = true }
        case .failure(let failure) where failure.isDateRefused:
            if let used, used.id == lead?.id, lead?.isRight == false {
                lead = nil
            } else if let serverTime = answer.serverTime {
                lead = Lead(id: UUID(), seconds: serverTime.timeIntervalSince(clock()))
            }
        case .failure: break
        }
    }

    /// Refreshes the tokens, unless another call has replaced the expired one since. Returns false if that is not
    /// possible now.
    func refresh(_ expired: String?) async -> Bool {
        guard let refreshTokens else { return false }
        if let refreshing { return await refreshing.value }
        let refreshing = Task { [idToken] in
            let isRefreshed = await within(longestAnswer) {
                do {
                    if try await idToken()?.trimmed == expired { try await refreshTokens() }
                    return true
                } catch {
                    return false
                }
            }
            return isRefreshed ?? false
        }
        self.refreshing = refreshing
        defer { self.refreshing = nil }
        return await refreshing.value
    }
}
