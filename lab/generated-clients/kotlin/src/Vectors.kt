import com.google.gson.Gson
import java.io.File

private class Answer(val field: String, val instances: List<List<String>>)
private class Vectors(val configuration: Form, val answers: List<Answer>)

/** Prints what the rules of the example app make of a file of test vectors, as JSON. */
fun main(args: Array<String>) {
    val vectors = Gson().fromJson(File(args[0]).readText(), Vectors::class.java)
    val fields = vectors.configuration.fields
    val shown = listOf("register", "profile").associateWith { ui -> fieldsFor(fields, ui).map { it.id } }
    val problems = vectors.answers.map { checkAnswers(fields.first { field -> field.id == it.field }, it.instances) }
    val text = fields.first { it.fieldType == "text" }.inputs[0]
    val lost = listOf(0, 1, 14).flatMap { plane -> (0..0xFFFF).map { plane * 0x10000 + it } }
        .filter { normalizedAnswer(text, "a${Character.toString(it)}b") == "ab" }
    // A pattern that starts anew at each space would take minutes.
    val spaces = normalizedAnswer(text, "a${" ".repeat(200_000)}b").length
    println(Gson().toJson(mapOf("shown" to shown, "problems" to problems, "lost" to lost, "spaces" to spaces)))
}
