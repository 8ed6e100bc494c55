import { isThrottlingError, isTransientError, StandardRetryStrategy } from '@smithy/core/retry';
import { HttpRequest } from '@smithy/core/transport';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { environmentCredentials } from './environment-credentials.ts';
import { Sha256 } from './sha256.ts';

/*
 * AWS's JSON protocol, put together from the parts of the SDK that sign, send and repeat a request. The SDK's clients have
 * layers for every service and every setting around them, which take longer to load than everything else here
 * (docs/decisions/0011).
 * https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
 */

/** A service of AWS that speaks the protocol. */
export interface AwsService {
  /** As signatures name it. */
  readonly name: 'dynamodb' | 'sqs';
  /** What the names of operations start with, such as `DynamoDB_20120810`. */
  readonly targetPrefix: string;
  /** Where it is, unless an endpoint variable of the SDKs moves it. */
  readonly endpoint: string;
}

/** A service has answered with an error, named as its API reference does. */
export class AwsError extends Error {
  /** Where the SDK's rules for repetitions look for it. */
  readonly $metadata: { readonly httpStatusCode: number };

  constructor(name: string, message: string, httpStatusCode: number) {
    super(message);
    this.name = name;
    this.$metadata = { httpStatusCode };
  }
}

// Three attempts of at most 1.5 s each, from the connection to the last byte of the answer, and the pauses between them
// leave time for an answer of our own: the functions have 20 s, and the gateway waits for 29.
const MAX_ATTEMPTS = 3;
const ATTEMPT_MS = 1500;

const handler = new NodeHttpHandler({ connectionTimeout: 1000 });

/**
 * Makes the function that calls a service: up to three times while that can help, with the SDK's own pauses and budget.
 *
 * The returned function takes the name of an operation, its input, and a signal that gives up; what was sent by then may
 * still be done. It throws an `AwsError` when the service answers with one, and other errors when it cannot be reached,
 * or not in time.
 */
export function awsJson({ name, targetPrefix, endpoint }: AwsService) {
  const { env } = process;
  const url = new URL(
    env[`AWS_ENDPOINT_URL_${name.toUpperCase()}`] ?? env.AWS_ENDPOINT_URL ?? endpoint,
  );
  const signer = new SignatureV4({
    service: name,
    region: env.AWS_REGION ?? '',
    credentials: environmentCredentials,
    sha256: Sha256,
  });
  const retries = new StandardRetryStrategy(MAX_ATTEMPTS);

  async function attempt(operation: string, body: string, abortSignal?: AbortSignal) {
    const request = new HttpRequest({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port && { port: Number(url.port) }),
      path: '/',
      headers: {
        host: url.host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `${targetPrefix}.${operation}`,
        'user-agent': 'customer-data-api',
      },
      body,
    });
    const signed = (await signer.sign(request)) as HttpRequest;
    const inTime = AbortSignal.timeout(ATTEMPT_MS);
    const signal = abortSignal ? AbortSignal.any([abortSignal, inTime]) : inTime;
    try {
      const { response } = await handler.handle(signed, { abortSignal: signal });
      const answer = Buffer.from(await streamCollector(response.body)).toString();
      if (response.statusCode === 200) return JSON.parse(answer);
      throw errorOf(response.statusCode, answer);
    } catch (error) {
      // The handler's own error would not say that it was the time.
      throw signal.aborted ? signal.reason : error;
    }
  }

  return async (operation: string, input: object, abortSignal?: AbortSignal) => {
    const body = JSON.stringify(input);
    let token = await retries.acquireInitialRetryToken(name);
    for (;;) {
      try {
        const output = await attempt(operation, body, abortSignal);
        retries.recordSuccess(token);
        return output;
      } catch (error) {
        const errorType = retryableAs(error);
        if (!errorType || abortSignal?.aborted) throw error;
        // It waits for the pause.
        const next = retries.refreshRetryTokenForRetry(token, { errorType });
        token = await Promise.race([next, ...whenAborted(abortSignal)]).catch(() => {
          throw error;
        });
      }
    }
  };
}

/** Fails when a signal gives up. */
function whenAborted(signal?: AbortSignal): Promise<never>[] {
  if (!signal) return [];
  return [
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ];
}

/** Whether, and as what, sending the same again can help. */
export function retryableAs(error: unknown): 'THROTTLING' | 'TRANSIENT' | undefined {
  const sdkError = error as Parameters<typeof isTransientError>[0];
  if (isThrottlingError(sdkError)) return 'THROTTLING';
  return isTransientError(sdkError) ? 'TRANSIENT' : undefined;
}

/** `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"…"}` */
function errorOf(statusCode: number, body: string): AwsError {
  try {
    const { __type, message, Message } = JSON.parse(body);
    return new AwsError(String(__type).replace(/.*#/, ''), message ?? Message ?? '', statusCode);
  } catch {
    return new AwsError(
      'UnknownError',
      `The answer is no JSON (status ${statusCode}).`,
      statusCode,
    );
  }
}
