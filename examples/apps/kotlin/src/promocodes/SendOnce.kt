package promocodes

import com.google.gson.JsonArray
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import okhttp3.Call
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.Response

/** The request header whose value identifies a request. */
internal const val REQUEST_DATE = "Request-Date"

private const val NO_DEVICE_ID = "00000000-0000-0000-0000-000000000000"
private val ID = Regex("[ -~]{1,128}")
private val JSON = "application/json".toMediaType()

/** Longest `Retry-After` that is obeyed. The service sends 5 seconds. */
private const val MAX_RETRY_AFTER_MS = 60_000L

/** The outcome of sending a request. */
internal class Answer(
    val result: SendResult,
    /** The server's time, in milliseconds since 1970. */
    val serverTime: Long? = null,
    /** The time for which the service wants no further request. */
    val retryAfterMs: Long = 0,
    /** The token of the request. */
    val idToken: String? = null,
)

/** Sends a request once. Never throws. [onCall] gets the call before it starts, and may cancel it. */
internal fun sendOnce(session: Session, request: JsonObject, requestDate: String, onCall: (Call) -> Unit): Answer {
    val token = try {
        session.idToken()
    } catch (exception: Exception) {
        return Answer(NoAnswer(exception))
    }
    val call = try {
        session.http.newCall(requestOf(session, token, request, requestDate))
    } catch (exception: IllegalArgumentException) {
        // What OkHttp refuses to send must not look like a lost connection.
        return Answer(NotSent(exception))
    }
    onCall(call)
    return try {
        call.execute().use { answerOf(it, token) }
    } catch (exception: Exception) {
        Answer(NoAnswer(exception))
    }
}

private fun requestOf(session: Session, token: String?, request: JsonObject, requestDate: String): Request {
    require(!token.isNullOrBlank()) { "There is no ID token." }
    require(session.appId.isNotBlank()) { "There is no App-Id." }
    return Request.Builder()
        .url("${session.baseUrl.trim().trimEnd('/')}/promoCode/apply")
        .header("Authorization", "Bearer ${token.trim()}")
        .header("App-Id", session.appId.trim())
        .header("Device-Id", session.deviceId?.trim()?.takeIf(ID::matches) ?: NO_DEVICE_ID)
        .header(REQUEST_DATE, requestDate)
        .post(request.toString().toByteArray().toRequestBody(JSON))
        .build()
}

private fun answerOf(response: Response, token: String?): Answer {
    val result = resultOf(response.code, response.body?.string().orEmpty(), response.header("x-amzn-RequestId"))
    val serverTime = response.headers.getDate("Date")?.time
    // Only the service may ask for a pause: something in between could silence the app for days.
    val pause = if (result is ServiceError) retryAfterMs(response, serverTime) else 0
    return Answer(result, serverTime, pause.coerceIn(0, MAX_RETRY_AFTER_MS), token)
}

/** The pause that a `Retry-After` asks for: seconds or a date (RFC 9110, 10.2.3). */
private fun retryAfterMs(response: Response, serverTime: Long?): Long {
    val seconds = response.header("Retry-After")?.trim()?.toLongOrNull()
    if (seconds != null) return seconds.coerceAtMost(MAX_RETRY_AFTER_MS) * 1000
    val date = response.headers.getDate("Retry-After") ?: return 0
    return date.time - (serverTime ?: System.currentTimeMillis())
}

/** Only a response with the four keys is the service's. */
private fun resultOf(status: Int, text: String, requestId: String?): SendResult {
    val body = runCatching { JsonParser.parseString(text) as? JsonObject }.getOrNull()
    val errors = body?.get("errors") as? JsonArray
    val data = body?.get("data") as? JsonObject
    val message = data?.text("message")
    val isComplete = listOf("warnings", "notices").all { body?.get(it) is JsonArray }
    if (errors == null || message == null || !isComplete) return NotUnderstood(status)
    if (errors.isEmpty) return Success(data.text("outcome").orEmpty())
    val code = data.text("code").orEmpty()
    if (code == "NotAuthorizedException") return TokenExpired(message)
    val problems = errors.filterIsInstance<JsonObject>()
        .map { Problem(it.text("message"), it.text("pointer"), it.text("header")) }
    val isRetryable = data.get("retryable")?.let { it.isJsonPrimitive && it.asBoolean } ?: false
    return ServiceError(code, message, isRetryable, problems, requestId)
}
