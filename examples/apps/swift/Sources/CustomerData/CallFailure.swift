/// The reason why a call failed.
public enum CallFailure: Error {
    /// The ID token has expired, and could not be refreshed.
    case tokenExpired
    /// `idToken` has returned none.
    case notSignedIn
    /// The service refused the request or failed. `code` says what to do, as docs/api.md lists.
    case refused(ServiceError)
    /// The ID token, the App-Id or the base URL cannot be sent.
    case notSent(String)
    /// No response in 25 seconds, no connection, or an error of `idToken`. The service may have received the request.
    case noAnswer(any Error)
    /// The response is not from the service, but from a proxy, for example.
    case notUnderstood(status: Int)

    /// True if the same request may succeed when it is sent again.
    public var canRetryHelp: Bool {
        switch self {
        case .noAnswer, .notUnderstood: true
        case .refused(let error): error.isRetryable
        case .tokenExpired, .notSignedIn, .notSent: false
        }
    }

    /// True if the service refused the date: the clock is wrong, or the date too old.
    var isDateRefused: Bool {
        if case .refused(let error) = self { error.problems.contains { $0.header == requestDateHeader } } else { false }
    }
}

/// An error of the service.
public struct ServiceError: Sendable {
    /// A problem of the request: with a pointer into the body, or the name of a header. Choose a text by `code` and `reason`,
    /// never by `message`, which may change.
    public struct Problem: Sendable {
        public let code: String?
        public let message: String?
        public let pointer: String?
        public let header: String?
        /// Why the header is refused: `missing`, `malformed` or `wrongClock`.
        public let reason: String?
    }

    public let code: String
    public let message: String
    public let isRetryable: Bool
    public let problems: [Problem]
    /// The service's id of the request, to report problems with.
    public let requestId: String?
}
