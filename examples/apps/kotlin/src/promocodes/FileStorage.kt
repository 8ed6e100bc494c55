package promocodes

import java.io.File
import java.io.FileOutputStream
import java.io.RandomAccessFile
import java.nio.channels.FileChannel
import java.nio.file.Files
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardOpenOption.READ
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.locks.ReentrantLock
import kotlin.concurrent.withLock

/**
 * Stores texts in files of a folder, such as `File(context.noBackupFilesDir, "promo-codes")`. The queues of an app may share
 * one, also those of several processes.
 */
open class FileStorage(private val folder: File) {
    init {
        folder.mkdirs()
    }

    /** Returns a text; null if there is none. */
    fun read(name: String): String? = File(folder, name).takeIf { it.exists() }?.readText()

    /** Replaces a text: once this returns, it survives the app and the phone. Until then, the one before does. */
    open fun write(name: String, text: String) {
        val written = File(folder, "$name.new")
        FileOutputStream(written).use {
            it.write(text.toByteArray())
            it.fd.sync()
        }
        Files.move(written.toPath(), File(folder, name).toPath(), ATOMIC_MOVE)
        // The new name is a change of the folder. Windows cannot open one.
        if (File.separatorChar == '/') FileChannel.open(folder.toPath(), READ).use { it.force(true) }
    }

    /** Runs functions of the same name one after the other, of all threads and processes. A lock ends with its process. */
    fun <T> inTurn(name: String, run: () -> T): T {
        // A process has a lock of a file as a whole, and loses it with the first channel that it closes.
        return turnOf(name).withLock {
            RandomAccessFile(lockOf(name), "rw").use {
                it.channel.lock()
                run()
            }
        }
    }

    /** Returns true if this thread runs a function in turn: another one of the name would end its lock. */
    fun isInTurn(name: String): Boolean = turnOf(name).isHeldByCurrentThread

    private fun turnOf(name: String) = TURNS.computeIfAbsent(lockOf(name).canonicalPath) { ReentrantLock(true) }

    private fun lockOf(name: String) = File(folder, "$name.lock")

    private companion object {
        val TURNS = ConcurrentHashMap<String, ReentrantLock>()
    }
}
