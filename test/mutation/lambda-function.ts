/**
 * Takes the place of `local/lambda-function.ts` in the mutation tests: runs the handlers from their sources, in the process
 * of the tests, where Stryker can put its mutants in.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { LambdaFunction as BundledFunction } from '../../local/lambda-function.ts';
import { REGION } from '../../local/template.ts';

type Props = ConstructorParameters<typeof BundledFunction>[0];
type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** What belongs to the function whose code is running: several share the process. */
interface Running {
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

const running = new AsyncLocalStorage<Running>();

const ownEnvironment = process.env;
Object.defineProperty(process, 'env', {
  get: () => running.getStore()?.environment ?? ownEnvironment,
});

for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  stream.write = ((chunk: string, ...others: []) => {
    const log = running.getStore()?.log;
    if (!log) return write(chunk, ...others);
    for (const line of chunk.split('\n')) if (line) log(line);
    return true;
  }) as typeof stream.write;
}

/** What Stryker keeps of the run: here it attributes a mutant that is executed to a test. */
const stryker: { currentTestId?: string | undefined } =
  (globalThis as { __stryker__?: object }).__stryker__ ?? {};

/** One function at a time: each gets modules of its own. */
let lastImport: Promise<unknown> = Promise.resolve();

function importHandler(folder: string): Promise<Handler> {
  const imported = lastImport.then(async () => {
    vi.resetModules();
    // What runs while a module is imported belongs to all tests, not to the first one that invokes the function.
    const { currentTestId } = stryker;
    stryker.currentTestId = undefined;
    const module = await import(`../../functions/${folder}/handler.ts`);
    stryker.currentTestId ??= currentTestId;
    return module.handler;
  });
  lastImport = imported.catch(() => {});
  return imported;
}

/** A function of the stack, with the interface of the one that runs its bundle. */
export class LambdaFunction implements Pick<BundledFunction, 'invoke' | 'stop'> {
  readonly #props: Props;
  readonly #running: Running;
  #handler: Promise<Handler> | undefined;

  constructor(props: Props) {
    this.#props = props;
    this.#running = {
      environment: {
        AWS_REGION: REGION,
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        AWS_LAMBDA_FUNCTION_NAME: props.definition.logicalId,
        AWS_LAMBDA_LOG_FORMAT: 'JSON',
        ...props.endpoints,
        ...props.definition.environment,
      },
      log: props.log,
    };
  }

  async invoke(event: unknown): Promise<unknown> {
    const { timeoutSeconds, environment } = this.#props.definition;
    const deadline = Date.now() + timeoutSeconds * 1000;
    const context = {
      awsRequestId: randomUUID(),
      getRemainingTimeInMillis: () => deadline - Date.now(),
    };
    return running.run(this.#running, async () => {
      try {
        this.#handler ??= importHandler(environment.POWERTOOLS_SERVICE_NAME ?? '');
        const handler = await this.#handler;
        return structuredClone(await handler(structuredClone(event), context));
      } catch (error) {
        this.#handler = undefined;
        this.#props.log(String(error));
        throw error;
      }
    });
  }

  /** The next event starts the function anew. Its code cannot be ended while it runs. */
  async stop(): Promise<void> {
    this.#handler = undefined;
  }
}
