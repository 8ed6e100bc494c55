import CustomerData
import Foundation

/// Returns the fields that are shown, the problems of the answers, and what is lost of texts.
func seenOfFields(_ file: String) throws -> String {
    let vectors = try object(file)
    let lists = ["errors", "warnings", "notices"].map { ($0, [] as [Any]) }
    let envelope = Object(uniqueKeysWithValues: lists).merging(["data": vectors["configuration"]!]) { $1 }
    let configuration = Configuration(response: bytes(envelope))!
    let screens = ["register", "profile"].map { ($0, configuration.fields(for: AppUI(rawValue: $0)!)) }
    let fields = screens.flatMap(\.1)
    let answers = (vectors["answers"] as! [Object]).map { answer in
        (fields.first { $0.id == answer["field"] as! String }!, answer["instances"] as! [[String]])
    }
    let problems = answers.map { field, instances in
        field.check(instances).map {
            ["code": $0.code.rawValue, "instance": $0.instance, "input": $0.input] as Object
        }
    }
    let stored = answers.map { field, instances in field.answersToStore(instances) }
    let text = fields.flatMap(\.inputs).first { $0.subType == .text }!
    let lost = [0, 1, 14].flatMap { plane in (0...0xFFFF).map { plane * 0x10000 + $0 } }
        .filter { Unicode.Scalar(UInt32($0)).map { text.normalized("a\($0)b").utf8.elementsEqual("ab".utf8) } ?? false }
    // What starts anew at each space would take minutes.
    let spaces = text.normalized("a\(String(repeating: " ", count: 200_000))b").unicodeScalars.count
    let shown = Object(uniqueKeysWithValues: screens.map { ($0, $1.map(\.id)) })
    return line(["shown": shown, "problems": problems, "stored": stored, "lost": lost, "spaces": spaces] as Object)
}
