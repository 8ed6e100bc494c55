/** A signal that aborts at the first SIGINT or SIGTERM. The second one ends the process. */
export function interruption(): AbortSignal {
  const interrupted = new AbortController();
  const abort = () => interrupted.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  return interrupted.signal;
}
