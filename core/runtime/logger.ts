import { Logger } from '@aws-lambda-powertools/logger';
import type { TokenBucket } from './rate-limit.ts';
import { lineLimit } from './rate-limit.ts';
import { sourceStackTrace } from './stack-trace.ts';

const powertools = new Logger({
  jsonReplacerFn: (key, value) =>
    key === 'stack' && typeof value === 'string' ? sourceStackTrace(value) : value,
});

interface Limited {
  readonly limit: TokenBucket;
  /** Lines suppressed since the last one. */
  suppressed: number;
}

const messages = new Map<string, Limited>();

function write(level: 'error' | 'warn', message: string, values: object): void {
  let limited = messages.get(message);
  if (!limited) {
    limited = { limit: lineLimit(), suppressed: 0 };
    messages.set(message, limited);
  }
  if (!limited.limit.take()) {
    limited.suppressed++;
    return;
  }
  const { suppressed } = limited;
  limited.suppressed = 0;
  powertools[level](message, { ...values, ...(suppressed > 0 && { suppressed }) });
}

/**
 * The log of the function: one JSON object per line. Never log a token, an App-Id or a request
 * body. Pass context with each line; on the logger, that of concurrent requests would mix.
 *
 * Each message has a rate limit. The next line counts the ones `suppressed` before it. Metrics
 * count every response, so a suppressed line costs detail but hides no failure.
 */
export const logger = {
  error: (message: string, values: object) => write('error', message, values),
  warn: (message: string, values: object) => write('warn', message, values),
  /** Logs without a limit, for lines that limit themselves. */
  info: (message: string, values: object) => powertools.info(message, { ...values }),
};
