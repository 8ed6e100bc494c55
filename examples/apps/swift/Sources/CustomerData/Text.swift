// Swift compares and counts characters as people see them. The service, and what apps store, have Unicode scalars.

/// Returns true if two texts have the same Unicode scalars: `==` also holds for two spellings of `é`.
func isSame(_ one: String, _ other: String) -> Bool {
    one.unicodeScalars.elementsEqual(other.unicodeScalars)
}

extension String {
    /// The text without spaces and line breaks around it.
    var trimmed: String {
        guard let first = unicodeScalars.firstIndex(where: { !$0.isSpace }),
            let last = unicodeScalars.lastIndex(where: { !$0.isSpace })
        else { return "" }
        return String(unicodeScalars[first...last])
    }
}

extension Unicode.Scalar {
    /// True for a space and a line break.
    var isSpace: Bool {
        switch properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: true
        default: (9...13).contains(value)
        }
    }
}
