import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../../packages/deployment/local/listen.ts';
import { callInProcess } from '../../packages/local/in-process.ts';

/**
 * The outcome of a held call: it succeeds, it fails, or it succeeds and the caller does not learn
 * it.
 */
export type Decision = 'take' | 'refuse' | 'lose';

/** A process that calls AWS: an invocation of a function, or a command. */
export interface Run {
  /** Its call that waits for a decision. */
  held?: { readonly step: string; readonly decide: (decision: Decision) => void } | undefined;
  /**
   * The last decision. It also holds for the calls of the same step that follow: the SDK retries
   * what failed.
   */
  decided?: { readonly step: string; readonly decision: Decision } | undefined;
  /** Undefined when it has ended. */
  done?: Promise<void> | undefined;
}

/** The decision of the gate about a call. */
export interface Route {
  /** Holds the call for this run. Without one, the call passes. */
  readonly run?: Run | undefined;
  /** The step of the run that the call is. */
  readonly step?: string;
  /** Returns the body that replaces that of the request, once the call passes. */
  readonly request?: () => object;
}

// biome-ignore lint/suspicious/noExplicitAny: the body of a request of any operation
export type Router = (operation: string, request: any) => Route;

/** The kinds of failures, which mean the same to the model. */
const FAULTS = ['connection reset', 'AccessDeniedException', 'InternalServerError'];

/**
 * Stands in front of DynamoDB and SQS. It holds calls until somebody decides what becomes of them.
 */
export class Gate {
  readonly server: Server;
  readonly #services: Readonly<Record<'dynamodb' | 'sqs', Server>>;
  readonly #route: Router;
  #faults = 0;
  /** Resolves when a call is held, or something has ended. */
  #changed = Promise.withResolvers<void>();

  constructor(services: Readonly<Record<'dynamodb' | 'sqs', Server>>, route: Router) {
    this.#services = services;
    this.#route = route;
    this.server = createServer((incoming, response) => {
      this.#handle(incoming, response).catch(() => response.destroy());
    });
  }

  listen(): Promise<string> {
    return listen(this.server);
  }

  /** Starts a run, and waits until it has ended or a call of it is held. */
  async start(run: Run, work: Promise<unknown>): Promise<void> {
    run.decided = undefined;
    const end = () => {
      run.done = undefined;
      this.#notify();
    };
    // A command fails when its calls do.
    run.done = work.then(end, end);
    await this.#untilHeldOrDone(run);
  }

  /** Decides on the held call, and waits until the run has ended or another call of it is held. */
  async decide(run: Run, decision: Decision): Promise<void> {
    const { held } = run;
    if (!held) throw new Error('No call is held.');
    run.held = undefined;
    held.decide(decision);
    await this.#untilHeldOrDone(run);
  }

  async #untilHeldOrDone(run: Run): Promise<void> {
    while (run.done && !run.held) await this.#changed.promise;
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = String(incoming.headers['x-amz-target']).replace(/.*\./, '');
    const received = JSON.parse((await buffer(incoming)).toString());
    const route = this.#route(operation, received);
    const { run, step = operation, request = () => received } = route;
    if (!run) await this.#forward(incoming, request, response);
    else await this.#hold(run, step, response, (to) => this.#forward(incoming, request, to));
  }

  async #hold(
    run: Run,
    step: string,
    response: ServerResponse,
    forward: (to?: ServerResponse) => Promise<void>,
  ): Promise<void> {
    const earlier = run.decided?.step === step ? run.decided.decision : undefined;
    const decision = earlier ?? (await this.#decisionOf(run, step));
    run.decided = { step, decision };
    if (decision === 'take') return forward(response);
    if (decision === 'lose' && !earlier) await forward();
    this.#fail(response);
  }

  #decisionOf(run: Run, step: string): Promise<Decision> {
    return new Promise((decide) => {
      run.held = { step, decide };
      this.#notify();
    });
  }

  async #forward(incoming: IncomingMessage, request: () => object, response?: ServerResponse) {
    const isSqs = String(incoming.headers['x-amz-target']).startsWith('AmazonSQS');
    const service = this.#services[isSqs ? 'sqs' : 'dynamodb'];
    const { status, headers, body } = await callInProcess(
      service,
      incoming.headers,
      JSON.stringify(request()),
    );
    response?.writeHead(status, headers).end(body);
  }

  /** Fails in another way than the last time. */
  #fail(response: ServerResponse): void {
    const fault = FAULTS[this.#faults++ % FAULTS.length];
    if (fault === 'connection reset') response.destroy();
    else
      response.writeHead(fault === 'InternalServerError' ? 500 : 400).end(`{"__type":"${fault}"}`);
  }
}
