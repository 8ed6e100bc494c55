import { devNull } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { FunctionDefinition } from './template.ts';

/** What a worker is started with. */
export interface RuntimeData {
  readonly folder: string;
  readonly handler: string;
  readonly timeoutSeconds: number;
}

/** An event on its way to the handler. */
export interface Invocation {
  readonly id: number;
  readonly event: unknown;
}

/** What became of an invocation. */
export type InvocationResult =
  | { readonly id: number; readonly response: unknown }
  | { readonly id: number; readonly error: string };

interface LambdaFunctionProps {
  readonly definition: FunctionDefinition;
  /** The folder that would be deployed as its code. */
  readonly folder: string;
  /** Where the emulated services are: added to the environment that the template gives. */
  readonly endpoints: Readonly<Record<string, string>>;
  /** Takes each line that the function logs. */
  readonly log: (line: string) => void;
}

/**
 * A function of the stack: runs the bundle that would be deployed, in a thread with an environment of its own. As in
 * Lambda, the thread is started by the first invocation, lives on for the next ones, and is replaced when it
 * fails or takes too long.
 */
export class LambdaFunction {
  readonly #props: LambdaFunctionProps;
  #worker: Worker | undefined;
  #invocations = 0;
  #pending = new Map<number, (result: InvocationResult) => void>();

  constructor(props: LambdaFunctionProps) {
    this.#props = props;
  }

  /**
   * Runs the handler on an event.
   *
   * @throws Error when the function failed or ran out of time; the log says how.
   */
  async invoke(event: unknown): Promise<unknown> {
    const { timeoutSeconds } = this.#props.definition;
    const id = this.#invocations++;
    const answered = new AbortController();
    const timedOut = { id, error: `Task timed out after ${timeoutSeconds} seconds` };
    const result = await Promise.race([
      new Promise<InvocationResult>((resolve) => {
        this.#pending.set(id, resolve);
        this.#worker ??= this.#start();
        this.#worker.postMessage({ id, event } satisfies Invocation);
      }),
      setTimeout(timeoutSeconds * 1000, undefined, { signal: answered.signal, ref: false }).then(
        (): InvocationResult => timedOut,
      ),
    ]).finally(() => {
      answered.abort();
      this.#pending.delete(id);
    });
    if ('response' in result) return result.response;
    this.#props.log(result.error);
    if (result === timedOut) await this.stop();
    throw new Error(result.error);
  }

  /** Ends the thread; invocations under way fail. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #start(): Worker {
    const { definition, folder, log } = this.#props;
    const { handler, timeoutSeconds } = definition;
    const { NODE_OPTIONS, ...env } = this.#environment();
    const worker = new Worker(new URL('lambda-runtime.ts', import.meta.url), {
      workerData: { folder, handler, timeoutSeconds } satisfies RuntimeData,
      env,
      execArgv: NODE_OPTIONS?.split(' ') ?? [],
      stdout: true,
      stderr: true,
    });
    for (const stream of [worker.stdout, worker.stderr]) {
      createInterface({ input: stream }).on('line', log);
    }
    worker.on('message', (result: InvocationResult) => this.#pending.get(result.id)?.(result));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker, new Error('The function was ended')));
    return worker;
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const [id, resolve] of this.#pending) resolve({ id, error: String(error) });
  }

  /** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
  #environment(): Record<string, string> {
    const { logicalId, memoryMegabytes, environment } = this.#props.definition;
    return {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_LAMBDA_FUNCTION_NAME: logicalId,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      // Lambda has no files of the AWS command line; what a developer keeps there must not reach the functions.
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
      ...this.#props.endpoints,
      ...environment,
    };
  }
}
