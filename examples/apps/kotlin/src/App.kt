import com.google.gson.Gson
import java.time.Instant
import java.util.Locale
import java.util.concurrent.TimeUnit
import kotlin.random.Random
import kotlin.system.exitProcess
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ApiResponse
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.infrastructure.ServerError
import org.openapitools.client.infrastructure.Success
import org.openapitools.client.models.ApplyPromoCodeRequest
import org.openapitools.client.models.ErrorEnvelope

fun main() {
    val exitCode = runCatching { run() }
        .onFailure { System.err.println(it.message) }
        .fold(onSuccess = { 0 }, onFailure = { 1 })
    // Threads of OkHttp would keep the program running for a minute.
    exitProcess(exitCode)
}

/** Gets what the app has to ask the customer, and applies a promo code to the customer's account. */
private fun run() {
    // Your app has these from the team that deployed the service, from Cognito and from the phone.
    val api = ConfigurationApi(setting("API_URL"))
    ApiClient.apiKey["App-Id"] = "demo-app-key"
    ApiClient.accessToken = setting("ID_TOKEN")
    val deviceId = "00000000-0000-0000-0000-000000000000"
    // What the customer chose in the app, or else the phone's: on Android, LocaleList.getDefault().toLanguageTags().
    val language = System.getenv("APP_LANGUAGE") ?: Locale.getDefault().toLanguageTag()

    // An app that stores an Installation-Id adds it as the last argument.
    val configured = send { date -> api.getRawConfig(deviceId, date, "demo", language) }
    // An app stores this text, with the header Config-Version, for the next start without a connection.
    val text = configured.data?.get("data").toString()
    val form = Gson().fromJson(text, Form::class.java)
    for (field in fieldsFor(form.fields, "profile")) println(describe(field))

    val request = ApplyPromoCodeRequest(
        clientId = "demo",
        // What the customer entered.
        promoCode = System.getenv("PROMO_CODE") ?: "KOTLIN26",
        userId = "demo-user",
        eventType = "promo_applied",
        source = "profile",
    )
    val applied = send { date -> api.applyPromoCodeWithHttpInfo(deviceId, date, request) }.data?.data
    println("${applied?.outcome?.value}: ${applied?.message}")
}

/** A refusal by the service: `error.data.code` says what to do, as docs/api.md lists. */
class RefusedException(val error: ErrorEnvelope) :
    Exception("${error.data.code}: ${error.errors.joinToString(" ") { it.message }}")

/** There is no response, or it is not from the service. */
class NoAnswerException(cause: Throwable? = null) : Exception("The service did not answer.", cause)

private const val GIVE_UP_AFTER_SECONDS = 30L
private const val LONGEST_PAUSE_MS = 8_000L

/**
 * Sends a request. If the response is lost or retryable, sends it again with the same date, by which the service recognizes
 * it, after a random pause of up to twice as long each time, and not before the `Retry-After` of the response.
 */
fun <T> send(call: (requestDate: String) -> ApiResponse<T>): Success<T> {
    val started = Instant.now()
    var pause = 500L
    while (true) {
        // Throws without a connection, and if something in between has answered, such as with a page.
        val attempt = runCatching { call(started.toString()) }
        val response = attempt.getOrNull()
        if (response is Success) return response
        val failure = refusal(response) ?: NoAnswerException(attempt.exceptionOrNull())
        val isRetryable = (failure as? RefusedException)?.error?.data?.retryable ?: true
        val waitMs = retryAfterMs(response?.headers) + Random.nextLong(pause)
        val isLate = Instant.now().plusMillis(waitMs).isAfter(started.plusSeconds(GIVE_UP_AFTER_SECONDS))
        if (!isRetryable || isLate) throw failure
        Thread.sleep(waitMs)
        pause = minOf(2 * pause, LONGEST_PAUSE_MS)
    }
}

/** The time before which the service wants no further request. The names of headers have any case. */
private fun retryAfterMs(headers: Map<String, List<String>>?): Long {
    val values = headers?.entries?.firstOrNull { it.key.equals("Retry-After", ignoreCase = true) }?.value
    return TimeUnit.SECONDS.toMillis(values?.firstOrNull()?.toIntOrNull()?.toLong() ?: 0)
}

/** The refusal in a response; null if the response is not from the service, and counts as lost. */
private fun refusal(response: ApiResponse<*>?): RefusedException? {
    val body = (response as? ClientError)?.body ?: (response as? ServerError)?.body
    return runCatching { RefusedException(Serializer.gson.fromJson(body as String, ErrorEnvelope::class.java)) }.getOrNull()
}

private fun describe(field: FormField) = "${field.fieldName}: ${field.inputs.joinToString(" and ", transform = ::describe)}"

private fun describe(input: FormInput): String =
    if (input.subType == "drop") "one of ${input.optionsArray.joinToString { it.display }}"
    else "text of at most ${input.maxChars} characters"

private fun setting(name: String): String = System.getenv(name) ?: error("The variable $name is not set.")
