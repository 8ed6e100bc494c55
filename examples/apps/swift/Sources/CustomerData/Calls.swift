import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

let getConfigPath = "customData/getConfig"
let applyPath = "promoCode/apply"
/// The request header whose value identifies a request.
let requestDateHeader = "Request-Date"
/// The service answers within 20 seconds.
let longestAnswer: TimeInterval = 25
/// Longest `Retry-After` that is obeyed. The service sends 5 seconds.
private let longestRetryAfter: TimeInterval = 60

/// A request that can be sent several times.
struct Call: Sendable {
    let path: String
    let body: [String: JSON]
    var headers: [String: String] = [:]
}

/// A response of the service without errors.
struct Response: Sendable {
    let bytes: Data
    let data: JSON
    var configVersion: String?
    var language: String?
}

/// The outcome of sending a call.
struct Answer: Sendable {
    var result: Result<Response, CallFailure>
    var serverTime: Date?
    /// The time for which the service wants no further request.
    var retryAfter: TimeInterval = 0
    /// The token of the request.
    var idToken: String?
}

extension Session {
    /// Sends a call. Refreshes an expired token and corrects a refused date at once; all other failures are left to a later
    /// attempt.
    ///
    /// - Parameters:
    ///   - date: the date of the first attempt; nil for now.
    ///   - mayResend: called with the date before the call is sent again. Returns false if it must not be.
    func attempt(
        _ call: Call, date: String? = nil, mayResend: @Sendable (String) async -> Bool = { _ in true }
    ) async -> Answer {
        var lead = date == nil ? now().lead : nil
        var current = date ?? textOf(now().date)
        var mayRefresh = true
        var mayCorrectDate = true
        while true {
            let date = current
            let sent = await within(longestAnswer) { [self] in await send(call, date) }
            let answer = sent ?? Answer(result: .failure(.noAnswer(URLError(Task.isCancelled ? .cancelled : .timedOut))))
            learn(from: answer, to: lead)
            guard case .failure(let failure) = answer.result, !Task.isCancelled else { return answer }
            if case .tokenExpired = failure, mayRefresh {
                mayRefresh = false
                let isRefreshed = await within(longestAnswer) { [self] in await refresh(answer.idToken) }
                guard isRefreshed == true else { return answer }
            } else if failure.isDateRefused, mayCorrectDate {
                mayCorrectDate = false
                lead = now().lead
                current = textOf(now().date)
            } else {
                return answer
            }
            guard await mayResend(current) else { return answer }
        }
    }

    /// Sends a call once.
    private nonisolated func send(_ call: Call, _ date: String) async -> Answer {
        let token: String
        do {
            token = try await idToken()?.trimmed ?? ""
        } catch {
            return Answer(result: .failure(.noAnswer(error)))
        }
        if token.isEmpty { return Answer(result: .failure(.notSignedIn)) }
        // What cannot be sent must not look like a lost connection.
        let problem = [(token, "ID token"), (appId.trimmed, "App-Id")].first { !isSendable($0.0) }
        if let problem { return Answer(result: .failure(.notSent("The \(problem.1) cannot be a header."))) }
        guard ["http", "https"].contains(baseURL.scheme?.lowercased()), baseURL.host?.isEmpty == false,
            let body = try? JSONEncoder().encode(call.body)
        else { return Answer(result: .failure(.notSent("The base URL is no HTTP URL."))) }

        var request = URLRequest(url: baseURL.appendingPathComponent(call.path), timeoutInterval: longestAnswer)
        request.httpMethod = "POST"
        request.httpBody = body
        let device = deviceId?.trimmed ?? ""
        let headers = [
            "Content-Type": "application/json",
            "Authorization": "Bearer \(token)",
            "App-Id": appId.trimmed,
            "Device-Id": isSendable(device, 128) ? device : "00000000-0000-0000-0000-000000000000",
            requestDateHeader: date,
        ]
        for (name, value) in headers.merging(call.headers, uniquingKeysWith: { $1 }) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        do {
            let (bytes, response) = try await transport.send(request)
            return answer(of: call, bytes, response, token)
        } catch {
            return Answer(result: .failure(.noAnswer(error)), idToken: token)
        }
    }
}

/// Returns a date as the service takes it.
func textOf(_ date: Date) -> String {
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return format.string(from: date)
}

/// True if a header can have the value.
func isSendable(_ value: String, _ most: Int = .max) -> Bool {
    (1...most).contains(value.utf8.count) && value.unicodeScalars.allSatisfy { (" "..."~").contains($0) }
}

private func answer(of call: Call, _ bytes: Data, _ response: HTTPURLResponse, _ token: String) -> Answer {
    let result = result(of: call, bytes, response)
    let serverTime = response.value(forHTTPHeaderField: "Date").flatMap(dateIn)
    var answer = Answer(result: result, serverTime: serverTime, idToken: token)
    // Only the service may ask for a pause: something in between could silence the app for days.
    if case .failure(.refused) = result, let retryAfter = response.value(forHTTPHeaderField: "Retry-After") {
        let date = dateIn(retryAfter)?.timeIntervalSince(serverTime ?? Date())
        answer.retryAfter = min(max(TimeInterval(retryAfter) ?? date ?? 0, 0), longestRetryAfter)
    }
    return answer
}

/// Only a response with the four keys, and with the data of the call, is the service's.
private func result(of call: Call, _ bytes: Data, _ response: HTTPURLResponse) -> Result<Response, CallFailure> {
    let body = JSON(bytes)
    guard let body, let data = body["data"], let errors = body["errors"]?.list,
        body["warnings"]?.list != nil, body["notices"]?.list != nil,
        errors.isEmpty && call.path == getConfigPath ? data["fields"]?.list != nil : data["message"]?.text != nil
    else { return .failure(.notUnderstood(status: response.statusCode)) }
    if errors.isEmpty {
        let configVersion = response.value(forHTTPHeaderField: "Config-Version")
        let language = response.value(forHTTPHeaderField: "Content-Language")
        return .success(Response(bytes: bytes, data: data, configVersion: configVersion, language: language))
    }
    let code = data["code"]?.text ?? ""
    if code == "NotAuthorizedException" { return .failure(.tokenExpired) }
    let problems = errors.map {
        ServiceError.Problem(
            code: $0["code"]?.text, message: $0["message"]?.text, pointer: $0["pointer"]?.text, header: $0["header"]?.text,
            reason: $0["reason"]?.text)
    }
    let error = ServiceError(
        code: code,
        message: data["message"]?.text ?? "",
        isRetryable: data["retryable"]?.isTrue ?? false,
        problems: problems,
        requestId: response.value(forHTTPHeaderField: "x-amzn-RequestId")
    )
    return .failure(.refused(error))
}

/// Returns the date in a header (RFC 9110, 5.6.7).
private func dateIn(_ header: String) -> Date? {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.date(from: header)
}
