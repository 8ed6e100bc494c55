import CustomerData
import Foundation

/// Gets what the app has to ask the customer, and applies a promo code to the customer's account.
@main
enum Example {
    static func main() async throws {
        // Your app has these from the team that deployed the service, from Cognito and from the phone.
        let environment = ProcessInfo.processInfo.environment
        guard let baseURL = environment["API_URL"].flatMap(URL.init), let idToken = environment["ID_TOKEN"] else {
            fatalError("Set API_URL and ID_TOKEN.")
        }
        let session = Session(baseURL: baseURL, appId: "demo-app-key", deviceId: nil, idToken: { idToken })
        let folder = URL(fileURLWithPath: environment["FOLDER"] ?? NSTemporaryDirectory())
        let storage = FileStorage(folder: folder.appendingPathComponent("customer-data"))

        let configuration = await session.loadConfiguration(clientId: "demo", storage: storage)
        for field in configuration?.fields(for: .profile) ?? [] {
            print("\(field.fieldName): \(field.inputs.map(describe).joined(separator: " and "))")
        }

        let queue = PromoCodeQueue(
            session: session,
            storage: storage,
            clientId: "demo",
            userId: environment["USER_ID"] ?? "demo-user",
            onResult: { print("\($0.code.promoCode): \(describe($0.result))") },
            onKept: { print("\($0.code.promoCode) waits: \(describe($0.result))") }
        )
        // What the customer entered.
        let code = environment["PROMO_CODE"] ?? "SWIFT26"
        _ = try await queue.add(PromoCode(code, eventType: "promo_applied", source: "profile"))
        try await queue.send()
    }

    private static func describe(_ input: FormInput) -> String {
        switch input.subType {
        case .text: "text of at most \(input.maxChars) characters"
        case .drop: "one of \(input.optionsArray.map(\.display).joined(separator: ", "))"
        }
    }

    private static func describe(_ result: Result<String, CallFailure>) -> String {
        switch result {
        case .success(let outcome): outcome
        case .failure(.tokenExpired): "The tokens could not be refreshed."
        case .failure(.notSignedIn): "Nobody is signed in."
        case .failure(.refused(let error)): "\(error.code): \(error.message)"
        case .failure(.notSent(let reason)): reason
        case .failure(.noAnswer), .failure(.notUnderstood): "The service did not answer."
        }
    }
}
