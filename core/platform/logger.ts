import { Logger } from '@aws-lambda-powertools/logger';
import { inTermsOfSource } from './stack-trace.ts';

/**
 * The log of the function: one JSON object a line. What is logged must never hold a token, a key or a request body.
 * Keys are passed with each line and none are kept on the logger, so that lines of concurrent requests never mix.
 */
export const logger = new Logger({
  jsonReplacerFn: (key, value) =>
    key === 'stack' && typeof value === 'string' ? inTermsOfSource(value) : value,
});
