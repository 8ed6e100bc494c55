import java.text.Normalizer

/* What the fields of a configuration mean: the rules of docs/api.md, "Show the fields". */

class FormOption(val value: String, val display: String)

/** A text box or a dropdown, as the service sends it. */
class FormInput(
    val subType: String?,
    val placeHolderText: String,
    val allowCopies: Boolean,
    val alpha: Boolean,
    val numbers: Boolean,
    val symbols: Boolean,
    val maxChars: Int,
    val optionsArray: List<FormOption>,
)

/** A field, as the service sends it. */
class FormField(
    val id: String,
    val fieldType: String,
    val fieldName: String,
    val mandatory: Boolean,
    val appUIs: List<String>?,
    val allowMultiple: Boolean?,
    val addButtonText: String,
    private val subFieldA: FormInput,
    private val subFieldB: FormInput,
) {
    val inputs: List<FormInput>
        get() = if (fieldType == "combo") listOf(subFieldA, subFieldB) else listOf(subFieldA)

    /** False for a kind that a later release has added. */
    val isKnown: Boolean
        get() = fieldType in setOf("text", "drop", "combo") && inputs.all { it.subType in setOf("text", "drop") }
}

/** The `data` of a response of `getConfig`, or a stored copy of it. */
class Form(val fields: List<FormField>)

/** What is wrong with the answer to an input of an instance, both counted from 0. */
data class AnswerProblem(val code: String, val instance: Int, val input: Int)

/** The fields of a screen, `register` or `profile`. */
fun fieldsFor(fields: List<FormField>, ui: String): List<FormField> =
    fields.filter { it.isKnown && it.appUIs?.contains(ui) != false }

/**
 * Returns what a customer entered, as it is checked and should be stored: without spaces around it, and without characters
 * that nobody sees, except those that belong to the one before. The value of an option stays as it is.
 */
fun normalizedAnswer(input: FormInput, answer: String): String =
    if (input.subType == "drop") answer
    else Normalizer.normalize(answer.replace(LOST, "$1").replace(AROUND, ""), Normalizer.Form.NFC)

private const val SPACE = "[\\t\\n\\u000B\\f\\r\\p{Z}]"

/** No match starts at a space within others: with many of them, that would take minutes. */
private val AROUND = Regex("^$SPACE+|(?<!$SPACE)$SPACE+$")

/** Joiners, selectors and tags, which belong to the character before them. */
private const val PART =
    "[\\u180B-\\u180D\\u180F\\u200C\\u200D\\uFE00-\\uFE0F\\x{E0020}-\\x{E007F}\\x{E0100}-\\x{E01EF}]"

/** These, and all others that nobody sees. As ranges, because engines differ in what they know of Unicode. */
private const val UNSEEN =
    "[\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F" +
        "\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFC" +
        "\\x{1BCA0}-\\x{1BCA3}\\x{1D173}-\\x{1D17A}\\x{E0000}-\\x{E0FFF}]"
private val LOST = Regex("(^|$SPACE)$UNSEEN+|(?!$PART)$UNSEEN")
private val PARTS = Regex(PART)

/**
 * Checks the answers: a string per input, "" for none. If there is no problem, the app may submit them. An answer has a
 * problem for each rule that it breaks.
 */
fun checkAnswers(field: FormField, instances: List<List<String>>): List<AnswerProblem> {
    val rows = instances.ifEmpty { listOf(emptyList()) }.map { answers ->
        field.inputs.mapIndexed { at, input -> normalizedAnswer(input, answers.getOrElse(at) { "" }) }
    }
    val isEmpty = rows.map { row -> row.all { it == "" } }
    val first = maxOf(0, isEmpty.indexOf(false))
    return rows.flatMapIndexed { instance, row ->
        row.flatMapIndexed { at, answer ->
            val input = field.inputs[at]
            val isMissing = field.mandatory && (instance == first || !isEmpty[instance])
            val isCopy = !input.allowCopies && rows.take(instance).any { it[at] == answer }
            val codes = when {
                // An instance without any answer is not submitted.
                answer == "" -> listOfNotNull("missing".takeIf { isMissing })
                field.allowMultiple != true && instance != first -> listOf("tooMany")
                else -> codesOf(input, answer) + listOfNotNull("copy".takeIf { isCopy })
            }
            codes.map { AnswerProblem(it, instance, at) }
        }
    }
}

private fun codesOf(input: FormInput, answer: String): List<String> =
    if (input.subType == "drop") listOfNotNull("noOption".takeIf { input.optionsArray.none { it.value == answer } })
    else listOfNotNull(
        "tooLong".takeIf { answer.codePointCount(0, answer.length) > input.maxChars },
        "characters".takeUnless { answer.replace(PARTS, "").codePoints().allMatch { permits(input, it) } },
    )

private fun permits(input: FormInput, codePoint: Int): Boolean = when (Character.getType(codePoint).toByte()) {
    Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false
    Character.SPACE_SEPARATOR, Character.NON_SPACING_MARK,
    Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK -> true
    Character.DECIMAL_DIGIT_NUMBER -> input.numbers
    else -> if (Character.isLetter(codePoint)) input.alpha else input.symbols
}
