import { NodeHttpHandler } from '@smithy/node-http-handler';
import { Timeout } from '../runtime/timeout.ts';

/** Timeout of one attempt, from connecting to the last byte of the response, in milliseconds. */
export const ATTEMPT_MS = 1500;
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
export class AttemptTimeoutHandler extends NodeHttpHandler {
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
