package promocodes

import com.google.gson.JsonArray
import com.google.gson.JsonElement
import com.google.gson.JsonNull
import com.google.gson.JsonObject
import com.google.gson.JsonParseException
import com.google.gson.JsonParser
import com.google.gson.JsonPrimitive
import java.text.Normalizer
import java.time.Instant

/** The most codes of a customer: with the longest tokens, they need half a megabyte. */
internal const val MAX_CODES = 100

/** A promo code as it is stored. */
internal data class Entry(
    val id: String,
    /** The body of the request, as it is sent. */
    val request: JsonObject,
    val requestDate: String,
    /** The server's time when it first refused the entry, in milliseconds since 1970. */
    val refusedAt: Long? = null,
)

/**
 * The codes of all customers in a storage, in the form of the app SDK.
 *
 * @param isFinished true for the ids of entries that count as removed.
 * @param onUnreadable called with each part that is not a code, which is moved to another file.
 */
internal class StoredCodes(
    private val storage: FileStorage,
    private val isFinished: (String) -> Boolean,
    private val onUnreadable: (JsonElement) -> Unit,
) {
    class Content(val entries: List<Entry>, val unreadable: List<JsonElement>)

    fun read(): Content {
        val entries = LinkedHashMap<String, Entry>()
        val unreadable = listOf(storage.read(CODES)).flatMap(::listIn).filter {
            val entry = entryOf(it)
            entry == null || entries.putIfAbsent(entry.id, entry) != null
        }
        return Content(entries.values.filterNot { isFinished(it.id) }, unreadable)
    }

    /** Changes the stored entries. Each change writes all of them. */
    fun change(changed: (List<Entry>) -> List<Entry>) {
        val found = storage.inTurn("change") {
            val content = read()
            if (content.unreadable.isNotEmpty()) {
                val all = listIn(storage.read(UNREADABLE)) + content.unreadable
                storage.write(UNREADABLE, jsonOf(all.takeLast(MAX_CODES)))
            }
            storage.write(CODES, jsonOf(changed(content.entries).map(::jsonOf)))
            content.unreadable
        }
        found.forEach(onUnreadable)
    }

    private companion object {
        const val CODES = "promo-codes.json"
        const val UNREADABLE = "promo-codes unreadable.json"
    }
}

/** Returns the elements of a stored list; what is none counts as its only element. */
private fun listIn(text: String?): List<JsonElement> {
    if (text.isNullOrEmpty()) return emptyList()
    val stored = try {
        JsonParser.parseString(text)
    } catch (_: JsonParseException) {
        JsonPrimitive(text)
    }
    return (stored as? JsonArray)?.toList() ?: listOf(stored)
}

private fun jsonOf(elements: List<JsonElement>): String = JsonArray().apply { elements.forEach(::add) }.toString()

private fun jsonOf(entry: Entry) = JsonObject().apply {
    addProperty("id", entry.id)
    add("request", entry.request)
    addProperty("requestDate", entry.requestDate)
    entry.refusedAt?.let { addProperty("refusedAt", it) }
}

/** Returns the entry that is stored as an element; null if the element is none. */
private fun entryOf(stored: JsonElement): Entry? {
    val request = (stored as? JsonObject)?.get("request") as? JsonObject ?: return null
    val id = stored.text("id") ?: return null
    val date = stored.text("requestDate")?.takeIf { runCatching { Instant.parse(it) }.isSuccess } ?: return null
    val token = request.get("promoCodeToken") ?: JsonNull.INSTANCE
    val isComplete = listOf("clientId", "promoCode", "userId", "eventType", "source").all { request.text(it) != null }
    if (!isComplete || !token.isJsonNull && token.text == null) return null
    val refusedAt = stored.get("refusedAt")
    if (refusedAt != null && (refusedAt as? JsonPrimitive)?.isNumber != true) return null
    return Entry(id, request, date, refusedAt?.asDouble?.toLong())
}

private val UUID = Regex("[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}", RegexOption.IGNORE_CASE)

/** Returns a user id as the service compares it: without the case of a UUID. */
internal fun comparableId(userId: String): String = if (UUID.matches(userId)) userId.lowercase() else userId

/** The properties that two requests of a customer share if they are the same but for the date. */
internal val Entry.identity: Map<String, String>
    get() {
        val code = Normalizer.normalize(request.text("promoCode").orEmpty().trim(), Normalizer.Form.NFC)
        // An empty token counts as none.
        val properties = request.entrySet().associate { it.key to it.value.text.orEmpty() } + ("promoCode" to code)
        return properties.filter { it.key != "userId" && it.value != "" }
    }
