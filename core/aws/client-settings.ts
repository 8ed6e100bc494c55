import { NodeHttpHandler } from '@smithy/node-http-handler';
import { Timeout } from '../runtime/timeout.ts';
import { environmentCredentials } from './environment-credentials.ts';

/** Attempts per call. With backoff they leave time to respond (function: 20 s, gateway: 29 s). */
const MAX_ATTEMPTS = 3;

/** A service of AWS, as its endpoint variable names it. */
type Service = 'COGNITO_IDENTITY_PROVIDER' | 'DYNAMODB' | 'EVENTBRIDGE' | 'SECRETS_MANAGER' | 'SQS';

/**
 * Returns the settings of an AWS SDK client. All are explicit: the first call looks nothing up, and
 * the bundles need no code that reads configuration files (`lib/bundle/bundle.ts`).
 *
 * @param endpoint can be overridden by `AWS_ENDPOINT_URL_<SERVICE>` and `AWS_ENDPOINT_URL`.
 */
export function awsClientSettings(service: Service, endpoint: string) {
  const { env } = process;
  return {
    region: env.AWS_REGION ?? '',
    endpoint: env[`AWS_ENDPOINT_URL_${service}`] ?? env.AWS_ENDPOINT_URL ?? endpoint,
    credentials: environmentCredentials,
    maxAttempts: MAX_ATTEMPTS,
    retryMode: 'standard',
    requestHandler: new AttemptTimeoutHandler(),
    defaultsMode: 'standard' as const,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    authSchemePreference: ['sigv4'],
    userAgentAppId: 'customer-data-api',
  };
}

/** Timeout of one attempt, from connecting to the last byte of the response, in milliseconds. */
const ATTEMPT_MS = 1500;
/** Timeout of connecting, in milliseconds. */
const CONNECTION_MS = 1000;

type Request = Parameters<NodeHttpHandler['handle']>[0];
type Options = Parameters<NodeHttpHandler['handle']>[1];
type Handled = Awaited<ReturnType<NodeHttpHandler['handle']>>;

/**
 * The AWS SDK's HTTP handler with a timeout for the whole attempt. Its own timeouts cover the wait
 * for headers and the gap between two packets, so a response that trickles in would never end. On
 * timeout it throws a `TimeoutError`, which the AWS SDK retries.
 */
class AttemptTimeoutHandler extends NodeHttpHandler {
  constructor() {
    super({ connectionTimeout: CONNECTION_MS });
  }

  override async handle(request: Request, options?: Options): Promise<Handled> {
    const caller = options?.abortSignal as AbortSignal | undefined;
    using timeout = new Timeout(ATTEMPT_MS, caller);
    try {
      const { response } = await super.handle(request, {
        ...options,
        abortSignal: timeout.signal,
      });
      // Read here, so that the timeout covers the body. The AWS SDK's own way loads web streams.
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      response.body = Buffer.concat(chunks);
      return { response };
    } catch (error) {
      // After an abort, the handler may report a lost connection. The AWS SDK retries a
      // TimeoutError but not an AbortError.
      if (timeout.isOver) throw timeout.signal.reason;
      if (!caller?.aborted) throw error;
      const aborted = new Error('The call was aborted.', { cause: caller.reason });
      aborted.name = 'AbortError';
      throw aborted;
    }
  }
}
