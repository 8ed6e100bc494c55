import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** The data that tells a worker what to load. */
interface RuntimeData {
  /** The folder of the function's code. */
  readonly folder: string;
  /** `<file>.<export>` */
  readonly handler: string;
  readonly timeoutSeconds: number;
}

/** A message to the worker: an event for the handler. */
interface Invocation {
  readonly id: number;
  readonly event: unknown;
}

/** A message from the worker: the result of an invocation. */
type InvocationResult =
  | { readonly id: number; readonly response: unknown }
  | { readonly id: number; readonly error: string };

interface ExecutionEnvironmentProps extends RuntimeData {
  readonly variables: Readonly<Record<string, string>>;
  /** Called when the environment has ended and takes no more invocations. */
  readonly onEnd: () => void;
}

/** A worker thread with a loaded function: an execution environment, in Lambda's words. */
export class ExecutionEnvironment {
  readonly #worker: Worker;
  readonly #timeoutSeconds: number;
  readonly #inFlight = new Map<number, (result: InvocationResult) => void>();
  #invocations = 0;

  constructor({ folder, handler, timeoutSeconds, variables, onEnd }: ExecutionEnvironmentProps) {
    this.#timeoutSeconds = timeoutSeconds;
    this.#worker = new Worker(new URL('lambda-runtime.mjs', import.meta.url), {
      workerData: { folder, handler, timeoutSeconds } satisfies RuntimeData,
      env: variables,
      stdout: true,
      stderr: true,
    });
    const end = (error: unknown) => {
      onEnd();
      for (const [id, resolve] of this.#inFlight) resolve({ id, error: String(error) });
    };
    this.#worker
      .on('message', (result: InvocationResult) => this.#inFlight.get(result.id)?.(result))
      .on('error', end)
      .on('exit', () => end(new Error('The function was stopped')));
  }

  /** The streams that the function logs to. */
  get output(): readonly NodeJS.ReadableStream[] {
    return [this.#worker.stdout, this.#worker.stderr];
  }

  /** Runs the handler. A timeout ends the environment and all invocations in flight. */
  async invoke(event: unknown): Promise<InvocationResult> {
    const id = this.#invocations++;
    const timeout = new AbortController();
    const result = await Promise.race([
      new Promise<InvocationResult>((resolve) => {
        this.#inFlight.set(id, resolve);
        this.#worker.postMessage({ id, event } satisfies Invocation);
      }),
      setTimeout(this.#timeoutSeconds * 1000, undefined, { signal: timeout.signal, ref: false }),
    ]);
    timeout.abort();
    this.#inFlight.delete(id);
    if (result) return result;
    await this.end();
    return { id, error: `Task timed out after ${this.#timeoutSeconds} seconds` };
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
