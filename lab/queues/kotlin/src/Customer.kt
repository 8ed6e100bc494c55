import android.content.Context
import androidx.work.WorkerParameters
import java.io.IOException
import java.nio.file.Files
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Semaphore
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.system.exitProcess
import okhttp3.Interceptor
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Protocol
import okhttp3.Response
import okhttp3.ResponseBody.Companion.toResponseBody
import promocodes.CustomerCodes
import promocodes.FileStorage
import promocodes.Session

private const val APPLIED = """{"errors":[],"warnings":[],"notices":[],"data":{"message":"Applied.","outcome":"applied"}}"""
private const val FORBIDDEN =
    """{"errors":[{}],"warnings":[],"notices":[],"data":{"message":"No.","code":"ForbiddenException","retryable":false}}"""

/** Runs the app of the documents, with its worker as WorkManager does. Prints what the customer reads, and how the work ended. */
fun main() {
    val storage = FileStorage(Files.createTempDirectory("queue").toFile())
    /** The body of each response; null without a connection. */
    var answer: String? = null
    var isSilent = false
    val workerTries = CountDownLatch(1)
    val network = Interceptor { chain ->
        if (Thread.currentThread().name == "worker") workerTries.countDown()
        while (isSilent && !chain.call().isCanceled()) Thread.sleep(10)
        val body = answer?.takeUnless { isSilent } ?: throw IOException("The connection is lost.")
        Response.Builder().request(chain.request()).protocol(Protocol.HTTP_1_1).code(200).message("")
            .body(body.toResponseBody("application/json".toMediaType())).build()
    }
    val shown = Semaphore(0)
    fun waitFor(texts: Int) {
        if (shown.tryAcquire(texts, 30, TimeUnit.SECONDS)) return
        println("The customer reads nothing more.")
        exitProcess(0)
    }
    fun signIn() = CustomerCodes(
        Session("http://service.test", "key", null, { "a.b.c" }, http = OkHttpClient.Builder().addInterceptor(network).build()),
        storage, "demo", "jane",
        show = {
            // The output may have another encoding.
            println(it.filter { character -> character < '\u0080' })
            shown.release()
        },
        log = {},
        startWork = { println("work") },
    ).also { customerCodes = it }
    val worker = SendCodes(Context(), WorkerParameters())

    val codes = signIn()
    codes.apply("A ")
    waitFor(1)
    val working = thread(name = "worker") { println(worker.doWork()) }
    workerTries.await()
    // The connection goes, in a pause or an attempt.
    worker.onStopped()
    working.join()

    // WorkManager waits before it starts the worker again.
    answer = APPLIED
    codes.apply("B")
    waitFor(2)
    println(worker.doWork())

    codes.apply(" ")
    codes.apply("SUMMER 2026")
    // Ten code points, and one that nobody sees.
    codes.apply("PIZZA2026\uD83C\uDF55\u200B")
    waitFor(3)

    answer = FORBIDDEN
    codes.apply("C")
    waitFor(1)
    println(worker.doWork())

    isSilent = true
    codes.apply("D")
    waitFor(1)
    codes.close()
    isSilent = false
    codes.apply("E")
    println(runCatching { worker.doWork() }.getOrElse { it.javaClass.simpleName })

    answer = APPLIED
    signIn().sendNow()
    waitFor(3)
    println(worker.doWork())
    customerCodes = null
    println(worker.doWork())
    exitProcess(0)
}
