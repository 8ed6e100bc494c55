/**
 * AWS could not be reached in time, throttled the call, or failed. The same call can succeed later.
 * `cause` is the error of the last attempt.
 */
export class UnavailableError extends Error {
  constructor(options: ErrorOptions) {
    super('AWS is unavailable.', options);
    this.name = 'UnavailableError';
  }
}
