import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import org.openapitools.client.apis.DefaultApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer.gson
import org.openapitools.client.infrastructure.ServerError
import org.openapitools.client.infrastructure.ServerException
import org.openapitools.client.models.ApplyPromoCodeRequest
import org.openapitools.client.models.ComboField
import org.openapitools.client.models.ConfigurationResult
import org.openapitools.client.models.GetConfigRequest

/** Does what the tests ask for: a command per line of the standard input, and its result per line of the standard output. */
fun main() {
    val output = System.out.writer()
    for (line in System.`in`.bufferedReader().lineSequence()) {
        val command = JsonParser.parseString(line).asJsonObject
        val result = try {
            if (command.has("decode")) decode(command) else call(command)
        } catch (exception: Exception) {
            JsonObject().apply { addProperty("failure", exception.toString()) }
        }
        output.write("$result\n")
        output.flush()
    }
}

/** Decodes a value of a schema. Returns it as the client encodes it again. */
private fun decode(command: JsonObject): JsonObject {
    val type = Class.forName("org.openapitools.client.models.${command["decode"].asString}")
    return result("value", gson.fromJson(command["json"], type))
}

/** Calls an operation. Returns the response, or the decoded error with the status. */
private fun call(command: JsonObject): JsonObject {
    fun text(name: String) = command[name].asString
    ApiClient.apiKey["App-Id"] = text("appId")
    ApiClient.accessToken = text("idToken")
    val api = DefaultApi(text("baseUrl"))
    val request = command["request"]
    fun configRequest() = gson.fromJson(request, GetConfigRequest::class.java)
    val (deviceId, date) = text("deviceId") to text("requestDate")
    return try {
        val response: Any = when (text("call")) {
            "getConfig" -> api.getConfig(deviceId, date, configRequest(), text("language"))
            else -> api.applyPromoCode(deviceId, date, gson.fromJson(request, ApplyPromoCodeRequest::class.java))
        }
        result("value", response)
    } catch (exception: ClientException) {
        refused(text("error"), exception.statusCode, (exception.response as ClientError<*>).body)
    } catch (exception: ServerException) {
        refused(text("error"), exception.statusCode, (exception.response as ServerError<*>).body)
    }
}

private fun refused(schema: String, status: Int, body: Any?): JsonObject {
    val type = Class.forName("org.openapitools.client.models.$schema")
    return result("error", gson.fromJson(body as String, type)).apply { addProperty("status", status) }
}

private fun result(name: String, value: Any): JsonObject =
    JsonObject().apply {
        add(name, gson.toJsonTree(value))
        kindsIn(value)?.let { add("kinds", it) }
    }

/** The classes that the fields of a configuration were decoded as, such as `ComboField(TextSubField,DropSubField)`. */
private fun kindsIn(value: Any): JsonElement? {
    val configuration = value as? ConfigurationResult ?: return null
    return gson.toJsonTree(
        configuration.fields.map { (field) ->
            val inputs = (field as? ComboField)?.let { listOf(it.subFieldA, it.subFieldB) } ?: listOf()
            val kinds = inputs.joinToString(",") { it.actualInstance!!.javaClass.simpleName }
            if (kinds == "") field!!.javaClass.simpleName else "ComboField($kinds)"
        },
    )
}
