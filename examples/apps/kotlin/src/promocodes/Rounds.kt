package promocodes

import java.util.concurrent.TimeUnit
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock
import kotlin.random.Random

/** Longest first pause. It doubles with each round, up to [MAX_PAUSE_MS]. */
private const val FIRST_PAUSE_MS = 500L
private const val MAX_PAUSE_MS = 8_000L

/** A time in milliseconds that ignores changes of the clock. */
internal fun elapsed(): Long = TimeUnit.NANOSECONDS.toMillis(System.nanoTime())

/** Makes rounds, with pauses between them. A call takes over from one that pauses. */
internal class Rounds(private val retryMs: Long) {
    private val lock = ReentrantLock()
    private val ended = lock.newCondition()
    private var calls = 0

    /**
     * Makes rounds until one returns false, none before the times of [notBefore], which counts as a retry, and of [earliest].
     * One that returns null was too early.
     */
    fun run(isStopped: () -> Boolean, notBefore: () -> Long, earliest: () -> Long, round: () -> Boolean?) {
        val call = lock.withLock { ++calls }
        endPauses()
        val waits = { ms: Long -> wait(ms) { call == calls && !isStopped() } }
        val end = elapsed() + retryMs
        var maxPause = FIRST_PAUSE_MS
        var isRetry = false
        do {
            val rest = maxOf(0, notBefore() - elapsed())
            if (isRetry || rest > 0) {
                // Phones that lost their connection together must not return together.
                val pause = rest + Random.nextLong(1, maxPause)
                maxPause = minOf(2 * maxPause, MAX_PAUSE_MS)
                if (elapsed() + pause > end || !waits(pause)) return
            }
            val early = earliest() - elapsed()
            if (early > 0 && !waits(early)) return
            val again = round()
            isRetry = again == true
        } while (again != false)
    }

    /** Ends the pauses of calls that are stopped, or that another call has taken over from. */
    fun endPauses() = lock.withLock { ended.signalAll() }

    /** Returns false if the call does not go on. */
    private fun wait(ms: Long, goesOn: () -> Boolean): Boolean = lock.withLock {
        val end = elapsed() + ms
        while (goesOn()) {
            val left = end - elapsed()
            if (left <= 0) return true
            ended.await(left, TimeUnit.MILLISECONDS)
        }
        false
    }
}
