/** AWS failed, throttled the call or was out of reach. Retryable. `cause`: the last error. */
export class UnavailableError extends Error {
  constructor(options: ErrorOptions) {
    super('AWS is unavailable.', options);
    this.name = 'UnavailableError';
  }
}
