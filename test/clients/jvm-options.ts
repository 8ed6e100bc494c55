/** For programs in Java that run for seconds. Compiling them for speed would take half of their CPU time. */
export const JVM_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] as const;
