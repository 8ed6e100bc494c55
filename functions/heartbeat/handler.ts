import { UnauthorizedError } from '../http/errors.ts';

/** A timeout in milliseconds, below that of the function, so that the error names the cause. */
const PATIENCE_MS = 15_000;

/**
 * Calls the API without a token, so that it needs no secret, and expects the refusal of this
 * service.
 *
 * @throws Error if there is another response or none. Lambda counts it for the alarm `Heartbeat`.
 */
export async function handler(): Promise<void> {
  const response = await fetch(process.env.HEARTBEAT_URL ?? '', {
    method: 'POST',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const body = await response.text();
  const { statusCode, code } = new UnauthorizedError();
  if (response.status === statusCode && body.includes(`"code":"${code}"`)) return;
  throw new Error(`The API answered with ${response.status} instead of ${statusCode}: ${body}`);
}
