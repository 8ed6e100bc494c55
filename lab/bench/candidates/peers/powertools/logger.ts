import { Logger } from '@aws-lambda-powertools/logger';

/** The log of the function. */
export const logger = new Logger();
