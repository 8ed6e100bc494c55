import Foundation

typealias Object = [String: Any]

func object(_ file: String) throws -> Object {
    try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as! Object
}

func bytes(_ value: Any) -> Data {
    try! JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
}

func line(_ value: Any) -> String {
    String(decoding: bytes(value), as: UTF8.self)
}
