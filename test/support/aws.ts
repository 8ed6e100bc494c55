import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { devNull } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { cbor } from '@smithy/core/cbor';
import { close, listen } from 'customer-data-api-deployment/local';
import { callInProcess } from 'customer-data-api-local';

/** The parameters of a call. */
export type Input = Readonly<Record<string, unknown>>;

/** Ends the connection instead of answering. */
export const NO_RESPONSE = Symbol('no response');

/**
 * Answers a call: an object in the protocol's JSON, or the XML below the result of an action;
 * undefined refuses it as IAM does. An object with `__type` is the error of that name.
 */
export type Answer = Readonly<Record<string, unknown>> | string | undefined | symbol;

/** Lets the embedded service execute a call, or a changed one. */
export type PassOn = (input?: Input) => Promise<Answer>;

/**
 * The answers to the calls of an operation. Each call takes the next one of a list, whose last
 * one stays.
 */
export type Given =
  | Answer
  | readonly Answer[]
  | ((input: Input, passOn: PassOn) => Answer | Promise<Answer>);

/** The answers to the calls of each operation. */
export type Answers = Readonly<Record<string, Given>>;

/** A call that was made. */
export interface Call {
  /** The name of the operation, or the path in a service without names. */
  readonly operation: string;
  /** The service as its signatures name it, such as `dynamodb`. */
  readonly service: string;
  /** The input of the call. In the protocol with forms, names are those of the form. */
  readonly input: Input;
  /** The key that signed it, and the region: `AKIDEXAMPLE eu-central-1`. */
  readonly signer: string;
}

/**
 * The services that are embedded, by the beginning of the header with which their calls name the
 * operation.
 */
export type Embedded = Partial<Record<'DynamoDB' | 'AmazonSQS' | 'AWSEvents', Server>>;

const REFUSED = { __type: 'AccessDenied', message: 'You are not authorized.' };

/**
 * Starts a server that stands for all of AWS. A test gives the answers of some operations; the
 * other calls of an embedded service are passed on to it, and all others are refused.
 */
export async function startAws(embedded: Embedded = {}) {
  let answers: Answers = {};
  const calls: Call[] = [];
  const server = createServer((incoming, response) => {
    respond(incoming, response).catch(() => response.destroy());
  });

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const operation = operationOf(incoming, body);
    const input = inputOf(incoming, body);
    const earlier = calls.filter((call) => call.operation === operation).length;
    calls.push({ operation, input, ...scopeOf(incoming) });
    const target = String(incoming.headers['x-amz-target']);
    const [, service] = Object.entries(embedded).find(([name]) => target.startsWith(name)) ?? [];
    const passOn = async (changed: Input = input) => {
      if (!service) return undefined;
      const passed = await callInProcess(service, incoming.headers, JSON.stringify(changed));
      return JSON.parse(String(passed.body) || '{}');
    };
    const given = answers[operation];
    const answer =
      operation in answers
        ? await (typeof given === 'function' ? given(input, passOn) : nth(given, earlier))
        : await passOn();
    send(response, incoming, operation, answer);
  }

  const endpoint = await listen(server);
  return {
    endpoint,
    /** Environment variables with which the AWS SDK calls this server once, with made-up keys. */
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_MAX_ATTEMPTS: '1',
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: 'us-east-1',
    } as NodeJS.ProcessEnv,
    calls,
    /** The input of each call of an operation. */
    inputsOf: (name: string): readonly Input[] =>
      calls.filter(({ operation }) => operation === name).map(({ input }) => input),
    /** The number of connections that clients have open. */
    connections: () =>
      new Promise<number>((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    /** Replaces all answers, and forgets the calls. */
    answer: (next: Answers) => {
      answers = next;
      calls.length = 0;
    },
    stop: () => close(server),
  };
}

export type Aws = Awaited<ReturnType<typeof startAws>>;

/** The counts of SQS about the length of a queue. */
export const lengthOf = (waiting: number, inFlight = 0) => ({
  Attributes: {
    ApproximateNumberOfMessages: String(waiting),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
  },
});

/** The result of an action of CloudFormation that describes a stack with these outputs. */
export function describedStack(
  name: string,
  outputs: Readonly<Record<string, string | undefined>>,
): string {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<Stacks><member><StackName>${name}</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><CreationTime>2026-11-20T09:30:00Z</CreationTime><Outputs>${members.join('')}</Outputs></member></Stacks>`;
}

function nth(given: Answer | readonly Answer[], index: number): Answer {
  return Array.isArray(given) ? given[Math.min(index, given.length - 1)] : (given as Answer);
}

function send(
  response: ServerResponse,
  incoming: IncomingMessage,
  operation: string,
  answer: Answer,
): void {
  if (typeof answer === 'symbol') return void response.destroy();
  response.statusCode = statusOf(answer);
  if (isCbor(incoming)) {
    response.setHeader('smithy-protocol', 'rpc-v2-cbor');
    response.setHeader('content-type', 'application/cbor');
    response.end(cbor.serialize(answer ?? REFUSED));
  } else if (typeof answer === 'string' || isForm(incoming)) {
    response.end(inXml(operation, answer ?? REFUSED));
  } else {
    if (answer === undefined) response.setHeader('x-amzn-errortype', 'AccessDeniedException');
    response.end(JSON.stringify(answer ?? { message: REFUSED.message }));
  }
}

function statusOf(answer: Answer): number {
  if (answer === undefined) return 403;
  return typeof answer === 'object' && '__type' in answer ? 400 : 200;
}

function isForm({ headers }: IncomingMessage): boolean {
  return headers['content-type'] === 'application/x-www-form-urlencoded';
}

function isCbor({ headers }: IncomingMessage): boolean {
  return headers['smithy-protocol'] === 'rpc-v2-cbor';
}

function inputOf(incoming: IncomingMessage, body: Buffer): Input {
  if (isForm(incoming)) return Object.fromEntries(new URLSearchParams(body.toString()));
  return isCbor(incoming) ? cbor.deserialize(body) : JSON.parse(body.toString() || '{}');
}

function scopeOf({ headers: { authorization = '' } }: IncomingMessage) {
  const [, key, region, service = ''] =
    /Credential=([^/]+)\/\d+\/([^/]+)\/([^/]+)\//.exec(authorization) ?? [];
  return { service, signer: `${key} ${region}` };
}

function operationOf(incoming: IncomingMessage, body: Buffer): string {
  const { url = '', headers } = incoming;
  const target = headers['x-amz-target'];
  if (typeof target === 'string') return target.replace(/.*\./, '');
  if (isForm(incoming)) return new URLSearchParams(body.toString()).get('Action') ?? '';
  return /\/operation\/(\w+)/.exec(url)?.[1] ?? url.replace(/\?.*/, '');
}

function inXml(operation: string, result: string | Readonly<Record<string, unknown>>): string {
  if (typeof result === 'object') {
    return `<ErrorResponse><Error><Type>Sender</Type><Code>${result.__type}</Code><Message>${result.message}</Message></Error></ErrorResponse>`;
  }
  return `<${operation}Response><${operation}Result>${result}</${operation}Result></${operation}Response>`;
}
