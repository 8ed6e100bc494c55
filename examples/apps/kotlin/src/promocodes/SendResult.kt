package promocodes

import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.google.gson.JsonPrimitive

/** The result of an attempt to apply a promo code. */
sealed interface SendResult

/** The service has recorded the code: `outcome` is `applied`, `repeated` or `queued`. */
class Success(val outcome: String) : SendResult

/** The ID token has expired, and could not be refreshed. */
class TokenExpired(val message: String) : SendResult

/** The service refused the request or failed. Decide by [code] and [isRetryable], as docs/api.md lists. */
class ServiceError(
    val code: String,
    val message: String,
    val isRetryable: Boolean,
    val problems: List<Problem>,
    /** The service's id of the request, to report problems with. */
    val requestId: String?,
) : SendResult

/** One problem of a request: with a pointer into the body, or the name of a header. */
class Problem(val message: String?, val pointer: String?, val header: String?)

/** The ID token, the App-Id or the base URL is missing, or cannot be sent. */
class NotSent(val cause: Exception) : SendResult

/** No response in 25 seconds, or no connection. The service may have received the request. */
class NoAnswer(val cause: Exception) : SendResult

/** The response is not from the service, but from a proxy, for example. */
class NotUnderstood(val status: Int) : SendResult

/** The same request may succeed when it is sent again. */
internal val SendResult.canRetryHelp: Boolean
    get() = this is NoAnswer || this is NotUnderstood || this is ServiceError && isRetryable

/** The service refused the date: the clock is wrong, or the date too old. */
internal val SendResult.isDateRefused: Boolean
    get() = this is ServiceError && problems.any { it.header == REQUEST_DATE }

internal fun JsonObject.text(name: String): String? = get(name)?.text

internal val JsonElement.text: String?
    get() = (this as? JsonPrimitive)?.takeIf { it.isString }?.asString
