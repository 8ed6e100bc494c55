import Foundation

// What the fields of a configuration mean: the rules of docs/api.md, "Show the fields".

/// A screen of the app.
public enum AppUI: String, Sendable {
    case register, profile
}

/// An option of a dropdown: show `display`, and store `value`.
public struct FormOption: Sendable {
    public let value: String
    public let display: String
}

/// An input of a field: a text box or a dropdown.
public struct FormInput: Sendable {
    public enum SubType: String, Sendable {
        case text, drop
    }

    public let subType: SubType
    /// The text that is shown while the input is empty.
    public let placeHolderText: String
    public let allowCopies: Bool
    public let alpha: Bool
    public let numbers: Bool
    public let symbols: Bool
    public let maxChars: Int
    public let optionsArray: [FormOption]

    /// Returns nil for a kind that a later release has added, and for what is malformed.
    init?(_ json: JSON?) {
        guard let json, let placeHolderText = json["placeHolderText"]?.text,
            let subType = SubType(rawValue: json["subType"]?.text ?? "")
        else { return nil }
        let maxChars = json["maxChars"]?.number
        let listed = json["optionsArray"]?.list
        let options = (listed ?? []).compactMap { option -> FormOption? in
            guard let value = option["value"]?.text, let display = option["display"]?.text else { return nil }
            return FormOption(value: value, display: display)
        }
        let isComplete = subType == .text ? maxChars != nil : listed != nil && listed?.count == options.count
        guard isComplete else { return nil }
        self.subType = subType
        self.placeHolderText = placeHolderText
        allowCopies = json["allowCopies"]?.isTrue ?? false
        alpha = json["alpha"]?.isTrue ?? false
        numbers = json["numbers"]?.isTrue ?? false
        symbols = json["symbols"]?.isTrue ?? false
        self.maxChars = Int(min(max(maxChars ?? 0, 0), 1e9))
        optionsArray = options
    }

    /// Returns what a customer entered as it is checked and should be stored: without spaces around it, and without
    /// characters that nobody sees, except those that belong to the one before. The value of an option stays as it is.
    public func normalized(_ answer: String) -> String {
        if subType == .drop { return answer }
        var seen = String.UnicodeScalarView()
        for scalar in answer.unicodeScalars {
            let isFirst = seen.last?.isSpace ?? true
            if !scalar.isUnseen || scalar.isPart && !isFirst { seen.append(scalar) }
        }
        return String(seen).trimmed.precomposedStringWithCanonicalMapping
    }

    fileprivate func codes(of answer: String) -> [AnswerProblem.Code] {
        if subType == .drop {
            return optionsArray.contains { isSame($0.value, answer) } ? [] : [.noOption]
        }
        let scalars = answer.unicodeScalars
        return (scalars.count > maxChars ? [.tooLong] : [])
            + (scalars.allSatisfy { $0.isPart || permits($0) } ? [] : [.characters])
    }

    private func permits(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator, .nonspacingMark, .spacingMark, .enclosingMark: true
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: alpha
        case .decimalNumber: numbers
        default: symbols
        }
    }
}

/// A field as a form shows it, with one input or, for a combo, two.
public struct FormField: Sendable, Identifiable {
    public let id: String
    /// The caption.
    public let fieldName: String
    public let mandatory: Bool
    /// True if the customer can add instances, with a button that has this label if it is not empty.
    public let allowMultiple: Bool
    public let addButtonText: String
    public let inputs: [FormInput]
    /// Nil for every screen.
    private let appUIs: [String?]?

    /// Returns nil for a kind that a later release has added, and for what is malformed.
    init?(_ json: JSON) {
        guard let id = json["id"]?.text, let fieldName = json["fieldName"]?.text,
            let addButtonText = json["addButtonText"]?.text
        else { return nil }
        let names: [String]
        switch json["fieldType"]?.text {
        case "text", "drop": names = ["subFieldA"]
        case "combo": names = ["subFieldA", "subFieldB"]
        default: return nil
        }
        let inputs = names.compactMap { FormInput(json[$0]) }
        let screens = json["appUIs"]
        guard inputs.count == names.count, screens == nil || screens?.list != nil else { return nil }
        self.id = id
        self.fieldName = fieldName
        mandatory = json["mandatory"]?.isTrue ?? false
        allowMultiple = json["allowMultiple"]?.isTrue ?? false
        self.addButtonText = addButtonText
        self.inputs = inputs
        appUIs = screens?.list?.map(\.text)
    }

    func isOn(_ ui: AppUI) -> Bool { appUIs?.contains(ui.rawValue) ?? true }

    /// Checks the answers: an instance per row, a string per input, "" for none. If there is no problem, the app may
    /// submit them. An answer has a problem for each rule that it breaks.
    public func check(_ instances: [[String]]) -> [AnswerProblem] {
        let rows = (instances.isEmpty ? [[]] : instances).map(normalized)
        let isEmpty = rows.map { $0.allSatisfy(\.isEmpty) }
        let first = isEmpty.firstIndex(of: false) ?? 0
        return rows.enumerated().flatMap { instance, row in
            row.enumerated().flatMap { at, answer in
                let isMissing = mandatory && (instance == first || !isEmpty[instance])
                let isCopy = !inputs[at].allowCopies && rows[..<instance].contains { isSame($0[at], answer) }
                let codes: [AnswerProblem.Code]
                if answer.isEmpty {
                    // An instance without any answer is not submitted.
                    codes = isMissing ? [.missing] : []
                } else if !allowMultiple && instance != first {
                    codes = [.tooMany]
                } else {
                    codes = inputs[at].codes(of: answer) + (isCopy ? [.copy] : [])
                }
                return codes.map { AnswerProblem(code: $0, instance: instance, input: at) }
            }
        }
    }

    /// Returns the answers to submit: as they are checked, without empty instances. An instance keeps what it has of inputs
    /// that the field no longer has.
    public func answersToStore(_ instances: [[String]]) -> [[String]] {
        instances.compactMap { answers in
            let row = normalized(answers)
            return row.allSatisfy(\.isEmpty) ? nil : row + answers.dropFirst(inputs.count)
        }
    }

    /// Returns an answer for each input.
    private func normalized(_ answers: [String]) -> [String] {
        inputs.enumerated().map { at, input in input.normalized(at < answers.count ? answers[at] : "") }
    }
}

/// What is wrong with the answer to an input of an instance, both counted from 0.
public struct AnswerProblem: Sendable {
    public enum Code: String, Sendable {
        case missing, tooLong, characters, noOption, copy, tooMany
    }

    public let code: Code
    public let instance: Int
    public let input: Int
}

extension Unicode.Scalar {
    /// Joiners, selectors and tags, which belong to the character before them.
    fileprivate var isPart: Bool {
        switch value {
        case 0x180B...0x180D, 0x180F, 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0020...0xE007F, 0xE0100...0xE01EF: true
        default: false
        }
    }

    /// These, and all others that nobody sees. As ranges, because systems differ in what they know of Unicode.
    fileprivate var isUnseen: Bool {
        switch value {
        case 0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E,
            0x2060...0x206F, 0x2800, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFC,
            0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF:
            true
        default: false
        }
    }
}
