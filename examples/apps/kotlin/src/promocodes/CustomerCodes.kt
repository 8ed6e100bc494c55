package promocodes

import java.io.IOException
import java.text.Normalizer
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ScheduledThreadPoolExecutor
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/** Time after which the customer is told that a code waits. */
private const val WAITS_MS = 3_000L

/**
 * An example of an app around its queue: the promo codes of the customer who is signed in. Make it when they sign in, and
 * close it when they sign out. Its functions block, except [sendNow].
 */
class CustomerCodes(
    session: Session,
    storage: FileStorage,
    clientId: String,
    userId: String,
    /** Shows a text to the customer. Not called on the main thread. */
    private val show: (String) -> Unit,
    private val log: (Any) -> Unit,
    /** Starts work that calls [send] when there is a connection, also after the app was closed. */
    private val startWork: () -> Unit,
) : AutoCloseable {
    /** The codes of which the customer has read nothing yet. */
    private val unsaid = ConcurrentHashMap.newKeySet<String>()

    /** Drops what comes after [close]: a code that is entered then is stored all the same. */
    private val timer = ScheduledThreadPoolExecutor(1, ThreadPoolExecutor.DiscardPolicy())
    private val queue = PromoCodeQueue(
        session, storage, clientId, userId,
        onResult = {
            unsaid -= it.code.promoCode
            show("${it.code.promoCode}: ${textFor(it.result)}")
        },
        onKept = {
            sayThatItWaits(it.code.promoCode)
            log(it.result)
        },
        onUnreadable = log,
    )

    /** Stores what the customer entered, then sends it. Its input has no `maxLength`, which would cut a code that is pasted. */
    fun apply(entered: String) {
        val code = Normalizer.normalize(entered.trim(), Normalizer.Form.NFC)
        // Without characters that nobody sees: pasting adds them at the ends, where the service ignores them.
        val length = code.codePoints().filter { Character.getType(it) != Character.FORMAT.toInt() }.count()
        if (length !in 1L..10L) return show("A promo code has 1 to 10 characters.")
        // Before the queue has it: a thread that sends may have the result at once.
        unsaid += code
        queue.add(PromoCode(code, "promo_applied", "profile"))
        timer.schedule({ sayThatItWaits(code) }, WAITS_MS, TimeUnit.MILLISECONDS)
        sendNow()
    }

    /**
     * Sends what waits at once, and has the worker send what is left: alone, it may be in a backoff of minutes. Call this
     * after each sign-in, too, because codes may wait.
     */
    fun sendNow() {
        startWork()
        thread { send() }
    }

    /** Sends what waits. Returns false if something waits that can be sent later. */
    fun send(): Boolean = try {
        queue.send()
        // What the service refuses waits for a correction, such as of a setting: the next call of [sendNow] sends it again.
        queue.waiting().all { (it.lastResult as? ServiceError)?.isRetryable == false }
    } catch (failure: IOException) {
        log(failure)
        false
    } catch (closed: IllegalStateException) {
        // The customer has signed out: what waits is sent after the next sign-in.
        log(closed)
        true
    }

    /** Ends the calls of [send] that run. The next one sends again. */
    fun stop() = queue.stop()

    override fun close() {
        timer.shutdownNow()
        queue.close()
    }

    private fun sayThatItWaits(code: String) {
        if (unsaid.remove(code)) show("$code: We will send this code.")
    }

    private fun textFor(result: SendResult) = when {
        result !is Success -> "This code could not be sent."
        result.outcome == "repeated" -> "We have this code already."
        else -> "Code received."
    }
}
