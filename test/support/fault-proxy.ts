import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { close, listen } from 'customer-data-api-deployment/local';

/** The faults of a call to AWS. The name says whether the target has executed the call. */
export const FAULTS = [
  'throttled',
  'internal error',
  'connection reset, not executed',
  'connection reset, executed',
  'no response, executed',
  'no response, not executed',
  'truncated response',
] as const;

/** A missing permission or a refusal is not a fault of AWS: it does not go away by itself. */
export type Fault = (typeof FAULTS)[number] | 'not permitted' | 'refused for good';

/** A time longer than the timeout of any client of the service. */
const SILENCE_MS = 4000;

interface TargetResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A call that the proxy received. */
export interface Call {
  /** The AWS API operation, such as `UpdateItem`. */
  readonly operation: string;
  /** Its input, as JSON. */
  readonly input: string;
}

/** Starts a proxy between the functions and an AWS service, which injects faults. */
export async function startFaultProxy() {
  const server = createServer((incoming, response) => {
    // A broken connection to the target becomes one to the caller.
    handle(incoming, response).catch(() => response.destroy());
  });
  const proxy = {
    url: await listen(server),
    /** The URL of the service behind the proxy. */
    target: '',
    /** Chooses the fault of a call; undefined for none. */
    faultOf: (_call: Call): Fault | undefined => undefined,
    /** Counts of the faults that occurred. */
    faultCounts: new Map<Fault, number>(),
    stop: () => close(server),
  };

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const operation = String(incoming.headers['x-amz-target']).replace(/.*\./, '');
    const fault = proxy.faultOf({ operation, input: body.toString() });
    if (fault) proxy.faultCounts.set(fault, (proxy.faultCounts.get(fault) ?? 0) + 1);
    switch (fault) {
      case 'throttled':
        return sendError(response, 400, 'ProvisionedThroughputExceededException');
      case 'internal error':
        return sendError(response, 500, 'InternalServerError');
      case 'not permitted':
        return sendError(response, 400, 'AccessDeniedException');
      case 'refused for good':
        return sendError(response, 400, 'ValidationException');
      case 'connection reset, not executed':
        response.destroy();
        return;
      case 'no response, not executed':
        return staySilent(response);
    }
    const result = await forward(incoming, body);
    switch (fault) {
      case 'connection reset, executed':
        response.destroy();
        return;
      case 'no response, executed':
        return staySilent(response);
      case 'truncated response':
        response.writeHead(result.status, result.headers).write(result.body.subarray(0, 2));
        return staySilent(response);
    }
    response.writeHead(result.status, result.headers).end(result.body);
  }

  function forward(
    { method, url, headers }: IncomingMessage,
    body: Buffer,
  ): Promise<TargetResponse> {
    const { hostname, port } = new URL(proxy.target);
    return new Promise((resolve, reject) => {
      const outgoing = request({ hostname, port, method, path: url, headers }, (response) => {
        buffer(response).then(
          (bytes) =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
          reject,
        );
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  return proxy;
}

function sendError(response: ServerResponse, status: number, name: string): void {
  response
    .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' })
    .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name }));
}

/** Keeps the connection open until the caller closes it. */
async function staySilent(response: ServerResponse): Promise<void> {
  await setTimeout(SILENCE_MS, undefined, { ref: false });
  response.destroy();
}

/** Fails all writes but no reads. The SDK retries these sooner than throttled calls. */
export function noWrites({ operation }: Call): Fault | undefined {
  return operation === 'UpdateItem' || operation === 'PutItem' ? 'internal error' : undefined;
}
