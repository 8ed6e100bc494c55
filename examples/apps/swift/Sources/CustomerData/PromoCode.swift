/// The code that a customer entered, and where.
public struct PromoCode: Sendable {
    public let promoCode: String
    public let eventType: String
    public let source: String
    /// What your own check of the code returned, if you have one. Another token makes another request.
    public let promoCodeToken: String?

    public init(_ promoCode: String, eventType: String, source: String, promoCodeToken: String? = nil) {
        self.promoCode = promoCode
        self.eventType = eventType
        self.source = source
        self.promoCodeToken = promoCodeToken
    }
}
