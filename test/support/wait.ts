/**
 * The milliseconds that a test waits for something: almost as long as a test may take, so that its
 * failure says what did not happen. On a busy machine, a shorter wait would assert a time.
 */
export const WAIT_MS = 100_000;
