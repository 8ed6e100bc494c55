import type middy from '@middy/core';
import { ServiceUnavailableError } from './errors.ts';

/** Answers in our own envelope shortly before Lambda would end the function and the gateway would answer for it. */
export const earlyTimeout: middy.PluginObject = {
  timeoutEarlyInMillis: 500,
  timeoutEarlyResponse: () => {
    throw new ServiceUnavailableError({ cause: new Error('the operation ran out of time') });
  },
};
