import { NodeHttpHandler } from '@smithy/node-http-handler';
import { Timeout } from '../runtime/timeout.ts';

/**
 * Longest time of one attempt, in milliseconds, from opening a connection to the last byte of the
 * response.
 */
export const ATTEMPT_MS = 1500;
/** Longest time for opening a connection, in milliseconds. */
export const CONNECTION_MS = 1000;

type Request = Parameters<NodeHttpHandler['handle']>[0];
type Options = Parameters<NodeHttpHandler['handle']>[1];
type Handled = Awaited<ReturnType<NodeHttpHandler['handle']>>;

/**
 * The SDK's HTTP handler with one time limit for a whole attempt. The handler's own limits cover
 * the time until the headers arrive and the time between two packets, so a response that arrives
 * byte by byte would have no limit.
 *
 * It throws a `TimeoutError` when the time is over, which the SDK retries.
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
      // Read here, so that the time limit includes the body. The SDK's own collector would load
      // Node's web streams.
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      response.body = Buffer.concat(chunks);
      return { response };
    } catch (error) {
      // After an abort, the handler's error may say that the connection was lost. The SDK retries a
      // TimeoutError but not an AbortError.
      if (timeout.isOver) throw timeout.signal.reason;
      if (!caller?.aborted) throw error;
      const aborted = new Error('The call was aborted.', { cause: caller.reason });
      aborted.name = 'AbortError';
      throw aborted;
    }
  }
}
