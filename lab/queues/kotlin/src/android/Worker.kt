package androidx.work

import android.content.Context

class WorkerParameters

/** Stands for that of WorkManager, on the JVM. */
abstract class Worker(val context: Context, val parameters: WorkerParameters) {
    enum class Result {
        SUCCESS,
        RETRY;

        companion object {
            fun success() = SUCCESS

            fun retry() = RETRY
        }
    }

    abstract fun doWork(): Result

    open fun onStopped() {}
}
