import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../../local/listen.ts';

/** What can happen to a call on its way to AWS and back. */
export type Fault =
  | 'throttled'
  | 'failed'
  | 'reset before it was done'
  | 'reset after it was done'
  | 'no answer, done'
  | 'no answer, not done'
  | 'half an answer';

export const FAULTS: readonly Fault[] = [
  ...(['throttled', 'failed', 'reset before it was done', 'reset after it was done'] as const),
  ...(['no answer, done', 'no answer, not done', 'half an answer'] as const),
];

/** Longer than any client of ours waits for an answer. */
const SILENCE_MS = 4000;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A call that has arrived. */
export interface Call {
  /** As AWS names it, such as `UpdateItem`. */
  readonly operation: string;
}

/** A server between the functions and a service of AWS, on which calls meet with faults. */
export class FaultProxy {
  readonly server: Server;
  readonly url: string;
  /** Where calls are passed on to. */
  target = '';
  /** What happens to a call; nothing, if undefined. */
  faultOf: (call: Call) => Fault | undefined = () => undefined;
  /** Called when a call was done and its answer is on its way. */
  onDone: (call: Call) => Promise<void> = async () => {};
  /** How often each fault happened. */
  readonly happened = new Map<Fault, number>();

  private constructor(server: Server, url: string) {
    this.server = server;
    this.url = url;
    server.on('request', (incoming, response) => {
      // A connection that has gone is one more fault.
      this.#answer(incoming, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<FaultProxy> {
    const server = createServer();
    return new FaultProxy(server, await listen(server));
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const operation = String(incoming.headers['x-amz-target']).replace(/.*\./, '');
    const fault = this.faultOf({ operation });
    if (fault) this.happened.set(fault, (this.happened.get(fault) ?? 0) + 1);
    switch (fault) {
      case 'throttled':
        return refuse(response, 400, 'ProvisionedThroughputExceededException');
      case 'failed':
        return refuse(response, 500, 'InternalServerError');
      case 'reset before it was done':
        response.destroy();
        return;
      case 'no answer, not done':
        return silence(response);
    }
    const answer = await this.#passOn(incoming, body);
    await this.onDone({ operation });
    switch (fault) {
      case 'reset after it was done':
        response.destroy();
        return;
      case 'no answer, done':
        return silence(response);
      case 'half an answer':
        response.writeHead(answer.status, answer.headers).write(answer.body.subarray(0, 2));
        return silence(response);
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  #passOn({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    const { hostname, port } = new URL(this.target);
    return new Promise((resolve, reject) => {
      const outgoing = request({ hostname, port, method, path: url, headers }, (answer) => {
        buffer(answer).then(
          (bytes) =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
          reject,
        );
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

function refuse(response: ServerResponse, status: number, name: string): void {
  response
    .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' })
    .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name }));
}

async function silence(response: ServerResponse): Promise<void> {
  await setTimeout(SILENCE_MS, undefined, { ref: false });
  response.destroy();
}

/** A table that can be read and not written, as when one partition takes too many writes. */
export function noWrites({ operation }: Call): Fault | undefined {
  return operation === 'UpdateItem' || operation === 'PutItem' ? 'throttled' : undefined;
}

/** A sequence of numbers from 0 to 1 (exclusive) that look random and are the same for the same seed. */
export function numbersOf(seed: string): () => number {
  let drawn = 0;
  return () => {
    const digest = createHash('sha256').update(`${seed} ${drawn++}`).digest();
    return digest.readUInt32BE() / 2 ** 32;
  };
}

/** One of some things. */
export function oneOf<T>(things: readonly T[], number: number): T {
  return things[Math.floor(number * things.length)] as T;
}
