import { Logger } from '@aws-lambda-powertools/logger';
import { lineLimit } from './log-rate-limit.ts';
import { inTermsOfSource } from './stack-trace.ts';
import type { TokenBucket } from './token-bucket.ts';

const powertools = new Logger({
  jsonReplacerFn: (key, value) =>
    key === 'stack' && typeof value === 'string' ? inTermsOfSource(value) : value,
});

interface Limited {
  readonly limit: TokenBucket;
  /** The number of lines that were not written since the last one. */
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
 * The log of the function: one JSON object per line. Never log a token, a key or a request body.
 * Pass keys with each line instead of storing them on the logger, so that concurrent requests do
 * not mix.
 *
 * Each message has a limit. The next line that is written says how many were `suppressed` before
 * it. Metrics count every response, so that a suppressed line is a missing detail and not a hidden
 * failure.
 */
export const logger = {
  error: (message: string, values: object) => write('error', message, values),
  warn: (message: string, values: object) => write('warn', message, values),
  /** Has no limit: for lines with a rhythm of their own. */
  info: (message: string, values: object) => powertools.info(message, { ...values }),
};
