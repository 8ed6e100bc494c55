import { createServer, type IncomingMessage } from 'node:http';
import { devNull } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { cbor } from '@smithy/core/cbor';
import { close, listen } from '../../local/listen.ts';

/** The parameters of a call. */
type Input = Readonly<Record<string, unknown>>;

/**
 * Answers a call: an object in the protocol's JSON, or the XML below the result of an action; undefined refuses it. An object
 * with `__type` is the error of that name.
 */
export type Answer = Readonly<Record<string, unknown>> | string | undefined;

/** How the calls of an operation are answered. Of a list, each takes the next one, and the last one stays. */
type Given = Answer | Answer[] | ((input: Input) => Answer);

/** How the calls of each operation are answered. */
export type Answers = Readonly<Record<string, Given>>;

/**
 * Starts a server that answers calls to AWS's control planes by the name of the operation, in whichever protocol the SDK
 * uses. An operation without an answer is refused as by IAM.
 */
export async function startFakeAws() {
  let answers: Answers = {};
  const calls: string[] = [];
  const inputs: { readonly operation: string; readonly input: Input }[] = [];
  const signedBy: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const operation = operationOf(request, body);
    const earlier = calls.filter((call) => call === operation).length;
    calls.push(operation);
    const input = inputOf(request, body);
    inputs.push({ operation, input });
    signedBy.push(signerOf(request));
    const answer = answerTo(answers[operation], earlier, input);
    const isCbor = request.headers['smithy-protocol'] === 'rpc-v2-cbor';
    response.statusCode = statusOf(answer);
    if (isCbor) {
      response.setHeader('smithy-protocol', 'rpc-v2-cbor');
      response.setHeader('content-type', 'application/cbor');
      response.end(cbor.serialize(answer ?? { __type: 'AccessDenied', message: REFUSED }));
    } else if (typeof answer === 'string' || isQuery(request)) {
      response.end(answer === undefined ? refusedXml : inXml(operation, String(answer)));
    } else {
      if (answer === undefined) response.setHeader('x-amzn-errortype', 'AccessDeniedException');
      response.end(JSON.stringify(answer ?? { message: REFUSED }));
    }
  });
  const endpoint = await listen(server);
  return {
    endpoint,
    /** Environment variables with which the AWS SDK calls this server once, with made-up keys. */
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_MAX_ATTEMPTS: '1',
      AWS_CONFIG_FILE: devNull,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    /** The operations that were called. */
    calls,
    /** What each call of an operation asks for. In the protocol with forms, names are those of the form. */
    inputsOf: (name: string): readonly Input[] =>
      inputs.filter(({ operation }) => operation === name).map(({ input }) => input),
    /** By which key each call was signed, and for which region: `AKIDEXAMPLE eu-central-1`. */
    signedBy,
    /** How many connections clients have open. */
    connections: () =>
      new Promise<number>((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    answer: (next: Answers) => {
      answers = next;
      calls.length = 0;
      inputs.length = 0;
      signedBy.length = 0;
    },
    stop: () => close(server),
  };
}

const REFUSED = 'You are not authorized.';
const refusedXml = `<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>${REFUSED}</Message></Error></ErrorResponse>`;

function answerTo(given: Given, earlier: number, input: Input): Answer {
  if (typeof given === 'function') return given(input);
  return Array.isArray(given) ? given[Math.min(earlier, given.length - 1)] : given;
}

function statusOf(answer: Answer): number {
  if (answer === undefined) return 403;
  return typeof answer === 'object' && '__type' in answer ? 400 : 200;
}

function isQuery({ headers }: IncomingMessage): boolean {
  return headers['content-type'] === 'application/x-www-form-urlencoded';
}

function inputOf(request: IncomingMessage, body: Buffer): Input {
  if (isQuery(request)) return Object.fromEntries(new URLSearchParams(body.toString()));
  const isCbor = request.headers['smithy-protocol'] === 'rpc-v2-cbor';
  return isCbor ? cbor.deserialize(body) : JSON.parse(body.toString() || '{}');
}

function signerOf({ headers: { authorization = '' } }: IncomingMessage): string {
  const [, key, region] = /Credential=([^/]+)\/\d+\/([^/]+)\//.exec(authorization) ?? [];
  return `${key} ${region}`;
}

function operationOf(request: IncomingMessage, body: Buffer): string {
  const { url = '', headers } = request;
  const target = headers['x-amz-target'];
  if (typeof target === 'string') return target.replace(/.*\./, '');
  if (isQuery(request)) return new URLSearchParams(body.toString()).get('Action') ?? '';
  return /\/operation\/(\w+)/.exec(url)?.[1] ?? url.replace(/\?.*/, '');
}

function inXml(operation: string, result: string): string {
  return `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`;
}
