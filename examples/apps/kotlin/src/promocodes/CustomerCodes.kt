package promocodes

import java.io.IOException
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ScheduledThreadPoolExecutor
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit

/** Time after which the customer is told that a code waits. */
private const val WAITS_MS = 3_000L

/**
 * An example of an app around its queue: the promo codes of the customer who is signed in. Make it when they sign in, and
 * close it when they sign out. Its functions block.
 */
class CustomerCodes(
    session: Session,
    storage: FileStorage,
    clientId: String,
    userId: String,
    /** Shows a text to the customer. Not called on the main thread. */
    private val show: (String) -> Unit,
    private val log: (Any) -> Unit,
    /** Starts work that calls [send] when there is a connection. */
    private val startWork: () -> Unit,
) : AutoCloseable {
    /** The codes of which the customer has read nothing yet, by their ids. */
    private val unsaid = ConcurrentHashMap<String, String>()

    /** Drops what comes after [close]: a code that is entered then is stored all the same. */
    private val timer = ScheduledThreadPoolExecutor(1, ThreadPoolExecutor.DiscardPolicy())
    private val queue = PromoCodeQueue(
        session, storage, clientId, userId,
        onResult = {
            unsaid.remove(it.id)
            show("${it.code.promoCode}: ${textFor(it.result)}")
        },
        onKept = {
            sayThatItWaits(it.id)
            log(it.result)
        },
        onUnreadable = log,
    )

    /** Stores a code, then has it sent. Its input has `android:maxLength="10"`. */
    fun apply(promoCode: String) {
        val id = queue.add(PromoCode(promoCode, "promo_applied", "profile"))
        unsaid[id] = promoCode
        timer.schedule({ sayThatItWaits(id) }, WAITS_MS, TimeUnit.MILLISECONDS)
        startWork()
    }

    /** Sends what waits. Returns false if something waits still. */
    fun send(): Boolean = try {
        queue.send()
        queue.waiting().isEmpty()
    } catch (failure: IOException) {
        log(failure)
        false
    }

    /** Ends the calls of [send] that run. The next one sends again. */
    fun stop() = queue.stop()

    override fun close() {
        timer.shutdownNow()
        queue.close()
    }

    private fun sayThatItWaits(id: String) {
        unsaid.remove(id)?.let { show("$it: We will send this code.") }
    }

    private fun textFor(result: SendResult) = when {
        result !is Success -> "This code could not be sent."
        result.outcome == "repeated" -> "We have this code already."
        else -> "Code received."
    }
}
