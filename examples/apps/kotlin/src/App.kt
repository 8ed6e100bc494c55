import com.google.gson.Gson
import java.io.IOException
import java.time.Instant
import java.util.Locale
import java.util.concurrent.TimeUnit
import kotlin.random.Random
import kotlin.system.exitProcess
import org.openapitools.client.apis.DefaultApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.infrastructure.ServerError
import org.openapitools.client.infrastructure.ServerException
import org.openapitools.client.models.ApplyPromoCodeRequest
import org.openapitools.client.models.ErrorEnvelope
import org.openapitools.client.models.GetConfigRequest

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
    val api = DefaultApi(setting("API_URL"))
    ApiClient.apiKey["App-Id"] = "demo-app-key"
    ApiClient.accessToken = setting("ID_TOKEN")
    val deviceId = "00000000-0000-0000-0000-000000000000"
    // What the customer chose in the app, or else the phone's: on Android, LocaleList.getDefault().toLanguageTags().
    val language = System.getenv("APP_LANGUAGE") ?: Locale.getDefault().toLanguageTag()

    // An app that stores an Installation-Id adds it as the last argument.
    val configuration = send { date -> api.getConfig(deviceId, date, GetConfigRequest("demo"), language) }.data
    // An app stores this text for the next start without a connection.
    val text = Serializer.gson.toJson(configuration)
    val form = Gson().fromJson(text, Form::class.java)
    for (field in form.fields.filter { it.isKnown }) println(describe(field))

    val request = ApplyPromoCodeRequest(
        clientId = "demo",
        // What the customer entered.
        promoCode = System.getenv("PROMO_CODE") ?: "KOTLIN26",
        userId = "demo-user",
        eventType = "promo_applied",
        source = "profile",
    )
    val applied = send { date -> api.applyPromoCode(deviceId, date, request) }.data
    println("${applied.outcome.value}: ${applied.message}")
}

/** A refusal by the service: `error.data.code` says what to do, as docs/api.md lists. */
class RefusedException(val error: ErrorEnvelope) :
    Exception("${error.data.code}: ${error.errors.joinToString(" ") { it.message }}")

/** There is no response, or it is not from the service. */
class NoAnswerException(cause: Exception) : Exception("The service did not answer.", cause)

private const val GIVE_UP_AFTER_SECONDS = 30L
private const val LONGEST_PAUSE_MS = 8_000L

/**
 * Sends a request. If the response is lost or retryable, sends it again with the same date, by which the service recognizes
 * it, after a random pause of up to twice as long each time, and not before the `Retry-After` of the response.
 */
fun <T> send(call: (requestDate: String) -> T): T {
    val started = Instant.now()
    var pause = 500L
    while (true) {
        var retryAfterMs = 0L
        val failure = try {
            return call(started.toString())
        } catch (exception: IOException) {
            NoAnswerException(exception)
        } catch (exception: ClientException) {
            val response = exception.response as? ClientError<*>
            retryAfterMs = retryAfterMs(response?.headers)
            refusal(response?.body, exception)
        } catch (exception: ServerException) {
            val response = exception.response as? ServerError<*>
            retryAfterMs = retryAfterMs(response?.headers)
            refusal(response?.body, exception)
        } catch (exception: RuntimeException) {
            // Something in between has answered, such as with a page, which the client cannot decode.
            NoAnswerException(exception)
        }
        val isRetryable = (failure as? RefusedException)?.error?.data?.retryable ?: true
        val waitMs = retryAfterMs + Random.nextLong(pause)
        val isLate = Instant.now().plusMillis(waitMs).isAfter(started.plusSeconds(GIVE_UP_AFTER_SECONDS))
        if (!isRetryable || isLate) throw failure
        Thread.sleep(waitMs)
        pause = minOf(2 * pause, LONGEST_PAUSE_MS)
    }
}

/** The time before which the service wants no further request. */
private fun retryAfterMs(headers: Map<String, List<String>>?): Long {
    val values = headers?.entries?.firstOrNull { it.key.equals("Retry-After", ignoreCase = true) }?.value
    return TimeUnit.SECONDS.toMillis(values?.firstOrNull()?.toIntOrNull()?.toLong() ?: 0)
}

/** The refusal in a response. If the response is not from the service, it counts as lost. */
private fun refusal(body: Any?, exception: Exception): Exception =
    runCatching { RefusedException(Serializer.gson.fromJson(body as String, ErrorEnvelope::class.java)) }
        .getOrElse { NoAnswerException(exception) }

private fun describe(field: FormField) = "${field.fieldName}: ${field.inputs.joinToString(" and ", transform = ::describe)}"

private fun describe(input: FormInput): String =
    if (input.subType == "drop") "one of ${input.optionsArray.joinToString { it.display }}"
    else "text of at most ${input.maxChars} characters"

private fun setting(name: String): String = System.getenv(name) ?: error("The variable $name is not set.")
