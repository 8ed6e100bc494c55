import Foundation

/// Held while something that is stored is read and changed.
let storageLock = NSLock()

/// A storage that survives the app, but not its removal. It belongs to one process: an app extension needs one of its own.
public protocol Storage: Sendable {
    /// The same for all storages with the same content, whose queues take turns.
    var id: String { get }
    /// Returns nil if there is nothing, and throws if it cannot be read now.
    func read(_ name: String) throws -> Data?
    /// Replaces what has the name. Until it returns, what was there before stays.
    func write(_ data: Data, as name: String) throws
}

extension Storage {
    /// Returns the id of this installation, by which the service chooses the phones that get a new configuration first: show
    /// it to testers. It is random, and nil until it is stored.
    public func installationId() -> String? {
        let name = "installation-id"
        return storageLock.withLock {
            do {
                if let stored = try read(name).map({ String(decoding: $0, as: UTF8.self) }), isSendable(stored, 128) {
                    return stored
                }
                let id = UUID().uuidString
                try write(Data(id.utf8), as: name)
                return id
            } catch {
                return nil
            }
        }
    }
}

/// Files in a folder, such as `URL.applicationSupportDirectory.appending(path: "customer-data")`.
public struct FileStorage: Storage {
    private let folder: URL

    public init(folder: URL) {
        self.folder = folder
    }

    public var id: String { folder.standardizedFileURL.path }

    public func read(_ name: String) throws -> Data? {
        do {
            return try Data(contentsOf: folder.appendingPathComponent(name))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    public func write(_ data: Data, as name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        // Two phones with one backup must not have one installation id.
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? folder.setResourceValues(values)
        try data.write(to: file, options: .atomic)
    }
}
