import { devNull } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type FunctionDefinition, REGION } from './template.ts';

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

/** A thread with the function loaded: what Lambda calls an execution environment. */
class ExecutionEnvironment {
  readonly #worker: Worker;
  readonly #pending = new Map<number, (result: InvocationResult) => void>();
  #invocations = 0;

  constructor(worker: Worker, onEnd: () => void) {
    this.#worker = worker;
    const end = (error: unknown) => {
      onEnd();
      for (const [id, resolve] of this.#pending) resolve({ id, error: String(error) });
    };
    worker.on('message', (result: InvocationResult) => this.#pending.get(result.id)?.(result));
    worker.on('error', end);
    worker.on('exit', () => end(new Error('The function was ended')));
  }

  async invoke(event: unknown, timeoutSeconds: number): Promise<InvocationResult> {
    const id = this.#invocations++;
    const answered = new AbortController();
    const result = await Promise.race([
      new Promise<InvocationResult>((resolve) => {
        this.#pending.set(id, resolve);
        this.#worker.postMessage({ id, event } satisfies Invocation);
      }),
      setTimeout(timeoutSeconds * 1000, undefined, { signal: answered.signal, ref: false }),
    ]);
    answered.abort();
    this.#pending.delete(id);
    if (result) return result;
    await this.end();
    return { id, error: `Task timed out after ${timeoutSeconds} seconds` };
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/**
 * A function of the stack: runs the bundle that would be deployed, in a thread with an environment of its own. As in
 * Lambda, the thread is started by the first invocation, lives on for the next ones, and is replaced when it
 * fails or takes too long.
 */
export class LambdaFunction {
  readonly #props: LambdaFunctionProps;
  #environment: ExecutionEnvironment | undefined;

  constructor(props: LambdaFunctionProps) {
    this.#props = props;
  }

  /**
   * Runs the handler on an event.
   *
   * @throws Error when the function failed or ran out of time; the log says how.
   */
  async invoke(event: unknown): Promise<unknown> {
    this.#environment ??= this.#start();
    const { timeoutSeconds } = this.#props.definition;
    const result = await this.#environment.invoke(event, timeoutSeconds);
    if ('response' in result) return result.response;
    this.#props.log(result.error);
    throw new Error(result.error);
  }

  /** Ends the thread; invocations under way fail. */
  async stop(): Promise<void> {
    await this.#environment?.end();
  }

  #start(): ExecutionEnvironment {
    const { definition, folder, log } = this.#props;
    const { handler, timeoutSeconds } = definition;
    const worker = new Worker(new URL('lambda-runtime.ts', import.meta.url), {
      workerData: { folder, handler, timeoutSeconds } satisfies RuntimeData,
      env: this.#variables(),
      stdout: true,
      stderr: true,
    });
    for (const stream of [worker.stdout, worker.stderr]) {
      createInterface({ input: stream }).on('line', log);
    }
    const environment = new ExecutionEnvironment(worker, () => {
      if (this.#environment === environment) this.#environment = undefined;
    });
    return environment;
  }

  /** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
  #variables(): Record<string, string> {
    const { logicalId, memoryMegabytes, environment } = this.#props.definition;
    return {
      AWS_REGION: REGION,
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
