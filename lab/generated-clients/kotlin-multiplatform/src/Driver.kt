import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.decodeFromJsonElement
import kotlinx.serialization.json.encodeToJsonElement
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.put
import org.openapitools.client.infrastructure.ApiClient.Companion.JSON_DEFAULT
import org.openapitools.client.models.ComboField
import org.openapitools.client.models.ConfigurationResult

/** Decodes a configuration per line of the standard input. Prints it as the client encodes it again. */
fun main() {
    for (line in generateSequence(::readLine)) {
        val command = Json.parseToJsonElement(line).jsonObject
        val result = try {
            decode(command)
        } catch (exception: Exception) {
            buildJsonObject { put("failure", exception.toString()) }
        }
        // Node also ends a line at these.
        println("$result".replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))
    }
}

private fun decode(command: JsonObject): JsonObject {
    val configuration = JSON_DEFAULT.decodeFromJsonElement<ConfigurationResult>(command.getValue("json"))
    val kinds = configuration.fields.map { (field) ->
        val inputs = (field as? ComboField)?.let { listOf(it.subFieldA, it.subFieldB) } ?: listOf()
        val inputKinds = inputs.joinToString(",") { it.actualInstance!!::class.simpleName!! }
        if (inputKinds == "") field!!::class.simpleName else "ComboField($inputKinds)"
    }
    return buildJsonObject {
        put("value", JSON_DEFAULT.encodeToJsonElement(configuration))
        put("kinds", JSON_DEFAULT.encodeToJsonElement(kinds))
    }
}
