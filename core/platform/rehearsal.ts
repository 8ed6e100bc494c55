import { AsyncLocalStorage } from 'node:async_hooks';

/*
 * V8 compiles a function when it is first called, which is most of the CPU time of a first call. A function that rehearses its first call
 * while it initialises has compiled the code by then. A rehearsal sends, stores, logs and counts nothing.
 */

const rehearsals = new AsyncLocalStorage<Buffer>();

/**
 * Runs a rehearsal: until it settles, what it logs and counts is written nowhere, and its calls of AWS are not sent.
 *
 * @param answer what AWS answers to each of its calls, in the JSON of the service.
 */
export function inRehearsal<TResult>(
  answer: object,
  run: () => Promise<TResult>,
): Promise<TResult> {
  return rehearsals.run(Buffer.from(JSON.stringify(answer)), run);
}

/**
 * Returns the answer to a call of AWS if the caller is part of a rehearsal. Like that of a service, it comes in a later turn of the event
 * loop, so that the connections that are opened at the same time make progress.
 */
export function rehearsedAnswer(): Promise<Buffer> | undefined {
  const answer = rehearsals.getStore();
  return answer && new Promise((resolve) => setImmediate(resolve, answer));
}

/**
 * Prints, or, if the caller is part of a rehearsal, does all of it but the write.
 *
 * @param print writes to stdout or stderr before it returns.
 */
export function printUnlessRehearsal(print: () => void): void {
  if (!rehearsals.getStore()) {
    print();
    return;
  }
  const { stdout, stderr } = process;
  const [writeOut, writeErr] = [stdout.write, stderr.write];
  stdout.write = stderr.write = () => true;
  try {
    print();
  } finally {
    stdout.write = writeOut;
    stderr.write = writeErr;
  }
}
