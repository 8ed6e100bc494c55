import Foundation

/// Longest first pause before a retry. It doubles with each one, up to `longestPause`.
let firstPause: TimeInterval = 0.5
let longestPause: TimeInterval = 8

extension Task where Failure == Never {
    /// The value of the task, which is cancelled if the caller is.
    var sharedFate: Success {
        get async {
            await withTaskCancellationHandler { await value } onCancel: { cancel() }
        }
    }
}

/// Returns nil when the time is over or the caller is cancelled. `run` is then cancelled, too, and may take longer.
func within<T: Sendable>(_ seconds: TimeInterval, _ run: @escaping @Sendable () async -> T) async -> T? {
    let (results, result) = AsyncStream.makeStream(of: T?.self)
    let running = Task { _ = result.yield(await run()) }
    let timer = Task {
        await sleep(seconds)
        result.yield(nil)
    }
    defer {
        running.cancel()
        timer.cancel()
    }
    for await first in results { return first }
    return nil
}

/// Returns when the time is over by `elapsed`, or the task is cancelled.
func sleep(_ seconds: TimeInterval) async {
    try? await Task.sleep(for: .seconds(seconds), clock: .continuous)
}

private let start = ContinuousClock.now

/// A time in seconds that ignores changes of the clock, and goes on while the system sleeps.
func elapsed() -> TimeInterval {
    start.duration(to: .now) / .seconds(1)
}

/// Turns for tasks: an actor does other things while it waits for one.
final class Turns: @unchecked Sendable {
    static let shared = Turns()
    private let lock = NSLock()
    private var last: [String: Task<Void, Never>] = [:]

    /// Runs a function after those of the same name that were given before.
    func next<T: Sendable>(_ name: String, _ run: @escaping @Sendable () async -> T) -> Task<T, Never> {
        lock.withLock {
            let before = last[name]
            let turn = Task {
                await before?.value
                return await run()
            }
            last[name] = Task { _ = await turn.value }
            return turn
        }
    }
}
