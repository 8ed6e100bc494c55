import { Logger } from '@aws-lambda-powertools/logger';
import { inTermsOfSource } from './stack-trace.ts';

/**
 * The log of the function: one JSON object per line. Never log a token, a key or a request body. Pass keys with each line
 * instead of storing them on the logger, so that concurrent requests do not mix.
 */
export const logger = new Logger({
  jsonReplacerFn: (key, value) =>
    key === 'stack' && typeof value === 'string' ? inTermsOfSource(value) : value,
});
