package promocodes

import com.google.gson.JsonElement
import com.google.gson.JsonObject
import java.io.IOException
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock
import okhttp3.Call

/** Enough to find and correct a wrong setting of a deployment. */
private const val MAX_REFUSED_MS = 7 * 24 * 60 * 60 * 1000L

/** A pause that another call of `send` ends has lasted as long: apps call it in loops, too. */
private const val MIN_PAUSE_MS = 1_000L

/** The code that a customer entered, and where. */
class PromoCode(
    val promoCode: String,
    val eventType: String,
    val source: String,
    /** What your own check of the code returned, if you have one. Another token makes another request. */
    val promoCodeToken: String? = null,
)

/**
 * An entry of a promo code in the queue, with the result of the last attempt of this queue; null before the first one. The
 * [id] is that of the entry: a code that is entered again after it has left the queue gets another one.
 */
class QueuedCode(val id: String, val code: PromoCode, val lastResult: SendResult?)

/** The result of an attempt to apply a promo code. */
class QueuedResult(val id: String, val code: PromoCode, val result: SendResult)

/**
 * The promo codes of a customer, which wait in a storage until they can be sent: the queue of the app SDK, in Kotlin. Make
 * one when the customer signs in. Its functions block, so call them from a thread for I/O. They throw an IOException if the
 * storage fails.
 */
class PromoCodeQueue(
    private val session: Session,
    private val storage: FileStorage,
    /** The client and the customer of the session. The queue does not touch the codes of others. */
    private val clientId: String,
    private val userId: String,
    /**
     * Called once for each code that leaves the queue after an attempt, in the queue that made it. If the disk is full, the
     * code stays in its file: another process, or the next start, sends and tells it again.
     */
    private val onResult: (QueuedResult) -> Unit = {},
    /** Called after each attempt that leaves a code in the queue. Log it: time may not help. */
    private val onKept: (QueuedResult) -> Unit = {},
    /** Called with each part of the storage that is not a code. It is moved to a file of its own. */
    private val onUnreadable: (JsonElement) -> Unit = {},
    /** Time for which [send] retries. */
    retryMs: Long = 60_000,
) : AutoCloseable {
    private val lastResults = ConcurrentHashMap<String, SendResult>()

    /** The ids of the entries that were reported. One stays in the storage if a write fails. */
    private val finished: MutableSet<String> = ConcurrentHashMap.newKeySet()
    private val stored = StoredCodes(storage, finished::contains) { tell { onUnreadable(it) } }
    private val rounds = Rounds(retryMs)

    /** The time until which the server wants no request, by [elapsed]. */
    @Volatile private var notBefore = elapsed()

    /** The last attempt that left a code in the queue, and the call that made it. */
    @Volatile private var lastKept: Kept? = null
    private val telling = ReentrantLock()
    @Volatile private var isClosed = false
    @Volatile private var inFlight: Call? = null

    /** The number of calls of [stop] and [close]. Each ends the calls of [send] that began before. */
    private val stops = AtomicInteger()

    /**
     * Stores a code with the current date. Once it returns, the code survives the app. If the same request waits already,
     * such as after two taps, it stays alone.
     *
     * @return the id of the code's entry in the queue.
     * @throws IllegalStateException if 100 codes of the customer wait.
     */
    fun add(code: PromoCode): String {
        val entry = Entry(UUID.randomUUID().toString(), requestOf(code), session.now().toString())
        var id = entry.id
        stored.change { entries ->
            val own = entries.filter(::isOwn)
            val same = own.find { it.identity == entry.identity }
            check(same != null || own.size < MAX_CODES) { "$MAX_CODES codes are waiting." }
            id = (same ?: entry).id
            if (same == null) entries + entry else entries
        }
        return id
    }

    /**
     * Sends the codes in the order in which they were added. Call it after [add], when the app starts, and when the phone is
     * online again. A code that fails by itself does not hold up the others. While no code can be sent, such as without a
     * connection, it pauses and tries again. Another call ends a pause that has lasted a second. A call in a callback, or in a
     * function of the session, does nothing.
     *
     * @throws IllegalStateException after [close].
     */
    fun send() {
        val stopsBefore = stops.get()
        check(!isClosed) { "The queue is closed: make another one." }
        if (storage.isInTurn("send") || telling.isHeldByCurrentThread) return
        // Reports a failure when the call ends: it must not keep codes from being sent.
        val failures = mutableListOf<IOException>()
        val tryChange = { changed: (List<Entry>) -> List<Entry> ->
            try {
                stored.change(changed)
                true
            } catch (failure: IOException) {
                failures += failure
                false
            }
        }
        val tried = mutableSetOf<String>()
        if (finished.isNotEmpty() || stored.read().unreadable.isNotEmpty()) tryChange { it }
        val isStopped = { stops.get() != stopsBefore }
        rounds.run(isStopped, { notBefore }, { earliest(tried) }) { sendEach(tried, tryChange, isStopped) }
        failures.firstOrNull()?.let { throw it }
    }

    /** Returns the codes of the customer, in order. */
    fun waiting(): List<QueuedCode> = own().map { QueuedCode(it.id, codeOf(it), lastResults[it.id]) }

    /** Removes a code of the customer. If it was sent, the service may have accepted it. */
    fun remove(id: String) = stored.change { entries -> entries.filterNot { it.id == id && isOwn(it) } }

    /** Removes all codes of the customer. */
    fun clear() = stored.change { entries -> entries.filterNot(::isOwn) }

    /** Ends the calls of [send] that run, with the request in flight. The next call sends again. */
    fun stop() {
        stops.incrementAndGet()
        rounds.endPauses()
        inFlight?.cancel()
    }

    /**
     * Ends the queue: call it when the customer signs out. It ends the request in flight, waits for a callback that runs, and
     * calls none from then on: a result that comes later is the next sign-in's. [send] then throws; a code that [add] stores
     * waits for the next sign-in.
     */
    override fun close() {
        telling.withLock { isClosed = true }
        stop()
    }

    /** The time before which a call makes no attempt, because another one has just made one in vain. */
    private fun earliest(call: Any): Long =
        lastKept?.takeIf { it.by !== call }?.let { it.at + MIN_PAUSE_MS } ?: elapsed()

    /**
     * Sends each entry once, except those already tried. Returns true if a retry can help, and null if another call has just
     * made an attempt in vain.
     */
    private fun sendEach(tried: MutableSet<String>, tryChange: ChangeCodes, isStopped: () -> Boolean): Boolean? {
        val retried = mutableSetOf<String>()
        while (true) {
            var isEarly = false
            // A turn for each entry, so that another process waits for one attempt only.
            val sent = storage.inTurn("send") {
                isEarly = earliest(tried) > elapsed()
                // Read each time: entries may be added and removed while one is sent.
                val entry = own().firstOrNull { it.id !in tried && !isEarly && !isStopped() }
                entry?.let { sendOne(it, tryChange, isStopped) }
                    ?.also { if (it.step != Step.FINISH) lastKept = Kept(elapsed(), tried) }
            }
            if (isEarly) return null
            if (sent == null) break
            tried += sent.entry.id
            if (sent.answer.result.canRetryHelp) retried += sent.entry.id
            report(sent, tryChange, isStopped)
            if (sent.step == Step.STOP) break
        }
        tried -= retried
        return retried.isNotEmpty()
    }

    private class Kept(val at: Long, val by: Any)

    private class Sent(val entry: Entry, val answer: Answer, val step: Step, val isRemoved: Boolean)

    /** Sends an entry once. Stores a new date before it is sent, and what the service says about the entry. */
    private fun sendOne(entry: Entry, tryChange: ChangeCodes, isStopped: () -> Boolean): Sent {
        var sent = entry
        var isGone = false
        /** Returns false if the entry was removed or cannot be stored. */
        fun replace(by: Entry): Boolean {
            val isStored = tryChange { entries ->
                isGone = entries.none { it.id == entry.id }
                entries.map { if (it.id == entry.id) by else it }
            }
            // With another token, the date may be stored already.
            val maySend = isStored || by == sent
            if (maySend) sent = by
            return maySend && !isGone
        }
        val onCall = { call: Call ->
            inFlight = call
            if (isStopped()) call.cancel()
        }
        val answer = attempt(session, entry, isStopped, onCall) { replace(sent.copy(requestDate = it)) }
        notBefore = elapsed() + answer.retryAfterMs
        val serverTime = answer.serverTime
        var step = nextStep(answer)
        if (step == Step.REFUSED && serverTime != null) {
            // The phone's clock may have been wrong at either time.
            if (serverTime - (sent.refusedAt ?: serverTime) > MAX_REFUSED_MS) step = Step.FINISH
            else if (sent.refusedAt == null) replace(sent.copy(refusedAt = serverTime))
        }
        if (isGone) step = Step.FINISH
        val isRemoved = step == Step.FINISH && removes(entry.id, tryChange)
        if (step == Step.FINISH) finished += entry.id
        return Sent(sent, answer, step, isRemoved)
    }

    /** Removes an entry. Returns false if it was removed before. */
    private fun removes(id: String, tryChange: ChangeCodes): Boolean {
        var isGone = false
        tryChange { entries -> entries.filterNot { it.id == id }.also { isGone = it.size == entries.size } }
        return !isGone
    }

    private fun report(sent: Sent, tryChange: ChangeCodes, isStopped: () -> Boolean) {
        val result = QueuedResult(sent.entry.id, codeOf(sent.entry), sent.answer.result)
        if (sent.step != Step.FINISH) {
            lastResults[result.id] = result.result
            if (!isStopped()) tell { onKept(result) }
        } else if (sent.isRemoved) {
            if (tell { onResult(result) }) return
            // The next sign-in sends it under the same date, and gets the same result.
            finished -= result.id
            tryChange { entries -> listOf(sent.entry) + entries }
        }
    }

    /** Calls a callback, unless the queue is closed. */
    private fun tell(callback: () -> Unit): Boolean = telling.withLock {
        val isOpen = !isClosed
        if (isOpen) callback()
        isOpen
    }

    private fun own() = stored.read().entries.filter(::isOwn)

    private fun isOwn(entry: Entry) = entry.request.text("clientId") == clientId &&
        comparableId(entry.request.text("userId").orEmpty()) == comparableId(userId)

    private fun requestOf(code: PromoCode) = JsonObject().apply {
        addProperty("clientId", clientId)
        addProperty("promoCode", code.promoCode)
        addProperty("userId", userId)
        addProperty("eventType", code.eventType)
        addProperty("source", code.source)
        code.promoCodeToken?.let { addProperty("promoCodeToken", it) }
    }

    private fun codeOf(entry: Entry): PromoCode {
        val text = { name: String -> entry.request.text(name).orEmpty() }
        return PromoCode(text("promoCode"), text("eventType"), text("source"), entry.request.text("promoCodeToken"))
    }
}

/** Changes the stored entries. Returns false if the storage fails. */
private typealias ChangeCodes = (changed: (List<Entry>) -> List<Entry>) -> Boolean
