import java.io.File
import kotlin.system.exitProcess
import promocodes.FileStorage
import promocodes.PromoCode
import promocodes.PromoCodeQueue
import promocodes.Session

/** Adds codes to a queue, and sends them until none waits. Prints each step. After a write, it waits for a line. */
fun main(codes: Array<String>) {
    var token = setting("EXPIRED_TOKEN")
    val session = Session(
        baseUrl = setting("API_URL"),
        appId = "demo-app-key",
        deviceId = null,
        idToken = { token },
        refreshTokens = { token = setting("ID_TOKEN") },
    )
    val storage = object : FileStorage(File(setting("FOLDER"))) {
        override fun write(name: String, text: String) {
            super.write(name, text)
            println("wrote")
            readlnOrNull()
        }
    }
    val queue = PromoCodeQueue(session, storage, "demo", setting("USER_ID"), retryMs = 0)
    for (code in codes) {
        queue.add(PromoCode(code, "promo_applied", "profile"))
        println("added")
    }
    while (queue.waiting().isNotEmpty()) queue.send()
    // Threads of OkHttp would keep the program running for a minute.
    exitProcess(0)
}

private fun setting(name: String): String = System.getenv(name) ?: error("The variable $name is not set.")
