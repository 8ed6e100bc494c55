package android.content

/** Stands for that of Android, on the JVM. */
class Context
