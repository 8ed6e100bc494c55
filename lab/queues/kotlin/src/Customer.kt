import android.content.Context
import androidx.work.WorkerParameters
import java.io.IOException
import java.nio.file.Files
import java.util.concurrent.CountDownLatch
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

/** Runs the worker of the documents as WorkManager does. Prints what the customer reads, and how the work ended. */
fun main() {
    val storage = FileStorage(Files.createTempDirectory("queue").toFile())
    var isOnline = false
    var isTold = CountDownLatch(1)
    val answer = Interceptor { chain ->
        if (!isOnline) throw IOException("The connection is lost.")
        Response.Builder().request(chain.request()).protocol(Protocol.HTTP_1_1).code(200).message("")
            .body(APPLIED.toResponseBody("application/json".toMediaType())).build()
    }
    fun signIn() = CustomerCodes(
        Session("http://service.test", "key", null, { "a.b.c" }, http = OkHttpClient.Builder().addInterceptor(answer).build()),
        storage, "demo", "jane",
        show = {
            println(it)
            isTold.countDown()
        },
        log = {},
        startWork = { println("work") },
    ).also { customerCodes = it }
    val worker = SendCodes(Context(), WorkerParameters())

    val codes = signIn()
    codes.apply("A")
    val working = thread { println(worker.doWork()) }
    isTold.await()
    // The connection goes, in a pause or an attempt.
    worker.onStopped()
    working.join()
    isOnline = true
    println(worker.doWork())

    isTold = CountDownLatch(1)
    codes.apply("B")
    isTold.await()
    codes.close()
    codes.apply("C")
    println(runCatching { worker.doWork() }.exceptionOrNull()?.javaClass?.simpleName)
    signIn()
    println(worker.doWork())
    customerCodes = null
    println(worker.doWork())
    exitProcess(0)
}
