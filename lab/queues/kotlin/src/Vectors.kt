import com.google.gson.JsonArray
import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import java.io.File
import java.io.IOException
import java.nio.file.Files
import java.time.Clock
import java.time.Duration
import java.time.Instant
import java.time.ZoneOffset
import java.util.Date
import okhttp3.Interceptor
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Protocol
import okhttp3.Response
import okhttp3.ResponseBody.Companion.toResponseBody
import okio.Buffer
import promocodes.FileStorage
import promocodes.NoAnswer
import promocodes.NotSent
import promocodes.NotUnderstood
import promocodes.PromoCode
import promocodes.PromoCodeQueue
import promocodes.QueuedResult
import promocodes.SendResult
import promocodes.ServiceError
import promocodes.Session
import promocodes.Success
import promocodes.TokenExpired

/** Prints what the queue shows in each step of each scenario of a file of test vectors, as JSON. */
fun main(args: Array<String>) {
    val vectors = JsonParser.parseString(File(args[0]).readText()).asJsonObject
    val seen = vectors.getAsJsonArray("scenarios").map { scenario ->
        val app = App(vectors)
        scenario.asJsonObject.getAsJsonArray("steps").map { app.show(it.asJsonObject) ?: JsonObject() }.toJson()
    }
    println(seen.toJson())
}

/** A phone with an app, between the service and a customer that follow a scenario. */
private class App(private val vectors: JsonObject) {
    private val folder = Files.createTempDirectory("queue").toFile()
    private val start = Instant.parse(vectors["start"].asString)
    private var phone = start
    private var server: Instant? = null
    private var token = "a.b.c"
    private var user = vectors["request"].asJsonObject["userId"].asString
    private val answers = ArrayDeque<String>()
    private var seen = JsonObject()
    private var isFull = false
    private var sendsWhenKept = false
    private var queue = newQueue()

    /** Does a step. Returns what it shows; null if that is nothing. */
    fun show(step: JsonObject): JsonElement? {
        val (name, value) = step.entrySet().first()
        seen = JsonObject()
        when (name) {
            "phone" -> phone = at(value)
            "server" -> server = at(value)
            "token" -> token = value.asString
            "user" -> user = value.asString
            "close" -> queue.close()
            "store" -> File(folder, "promo-codes.json").writeText(value.asString)
            "remove" -> queue.remove(queue.waiting()[value.asInt].id)
            "clear" -> queue.clear()
            "full" -> isFull = value.asBoolean
            "sendsWhenKept" -> sendsWhenKept = true
            "aside" -> seen.add("aside", JsonParser.parseString(File(folder, "promo-codes unreadable.json").readText()))
            "add" -> add(value.asJsonObject, step["times"]?.asInt)
            "send" -> send(value.asJsonArray)
        }
        if (name == "restart" || name == "user") queue = newQueue()
        return seen
    }

    private fun at(hours: JsonElement) = start.plus(Duration.ofHours(hours.asLong))

    private fun newQueue(): PromoCodeQueue {
        val session = Session(
            baseUrl = "http://service.test",
            appId = "key",
            deviceId = null,
            idToken = { token },
            refreshTokens = { seen.addProperty("refreshes", (seen["refreshes"]?.asInt ?: 0) + 1) },
            http = OkHttpClient.Builder().addInterceptor(::answer).build(),
            clock = object : Clock() {
                override fun instant() = phone
                override fun getZone() = ZoneOffset.UTC
                override fun withZone(zone: java.time.ZoneId) = this
            },
        )
        val storage = object : FileStorage(folder) {
            override fun write(name: String, text: String) =
                if (isFull) throw IOException("The storage is full.") else super.write(name, text)
        }
        val tell = { name: String -> { it: QueuedResult -> see(name, "${it.code.promoCode} ${nameOf(it.result)}") } }
        return PromoCodeQueue(
            session, storage, "demo", user,
            onResult = tell("told"),
            onKept = {
                tell("kept")(it)
                if (sendsWhenKept) queue.send()
            },
            onUnreadable = { seen.addProperty("unreadable", (seen["unreadable"]?.asInt ?: 0) + 1) },
            retryMs = 0,
        )
    }

    private fun add(change: JsonObject, times: Int?) {
        val request = vectors["request"].asJsonObject.deepCopy()
        change.entrySet().forEach { request.add(it.key, it.value) }
        val text = { name: String -> request[name]?.asString }
        val add = { code: String? ->
            queue.add(PromoCode(code.orEmpty(), text("eventType").orEmpty(), text("source").orEmpty(), text("promoCodeToken")))
        }
        if (times != null) return repeat(times) { add("$it") }
        try {
            val id = add(text("promoCode"))
            seen.addProperty("place", queue.waiting().indexOfFirst { it.id == id })
        } catch (_: IllegalStateException) {
            seen.addProperty("error", true)
        }
    }

    private fun send(names: JsonArray) {
        answers += names.map { it.asString }
        try {
            queue.send()
        } catch (_: IOException) {
            seen.addProperty("error", true)
        } catch (_: IllegalStateException) {
            seen.addProperty("error", true)
        }
        answers.forEach { see("unsent", it) }
        answers.clear()
        queue.waiting().forEach { see("waiting", it.code.promoCode) }
    }

    private fun answer(chain: Interceptor.Chain): Response {
        val request = chain.request()
        val body = JsonParser.parseString(Buffer().also { request.body?.writeTo(it) }.readUtf8()).asJsonObject
        val date = Instant.parse(request.header("Request-Date"))
        see("sent", "${body["promoCode"].asString} ${Duration.between(start, date).toHours()}")
        val answer = vectors["answers"].asJsonObject[answers.removeFirst()].asJsonObject
        when (answer["during"]?.asString) {
            "close" -> queue.close()
            "stop" -> queue.stop()
            "remove" -> queue.remove(queue.waiting()[0].id)
            "send" -> queue.send()
        }
        val status = answer["status"]?.asInt ?: throw IOException("The connection is lost.")
        val text = answer["body"].let { if (it.isJsonPrimitive) it.asString else it.toString() }
        val response = Response.Builder().request(request).protocol(Protocol.HTTP_1_1).code(status).message("")
            .body(text.toResponseBody("application/json".toMediaType()))
        answer["retryAfter"]?.let { response.header("Retry-After", it.asString) }
        server?.let { response.headers(response.build().headers.newBuilder().set("Date", Date.from(it)).build()) }
        return response.build()
    }

    private fun see(name: String, value: String) {
        if (!seen.has(name)) seen.add(name, JsonArray())
        seen[name].asJsonArray.add(value)
    }
}

private fun nameOf(result: SendResult) = when (result) {
    is Success -> "success"
    is ServiceError -> "error"
    is TokenExpired -> "tokenExpired"
    is NotSent -> "notSent"
    is NoAnswer -> "noAnswer"
    is NotUnderstood -> "notUnderstood"
}

private fun List<JsonElement>.toJson() = JsonArray().also { forEach(it::add) }
