import { headersOf } from '../../functions/http/request-headers.ts';
import { pick, randomNumbers } from '../../test/support/random-numbers.ts';

/** The client that all applications name. */
export const CLIENT = 'demo';

const APP_ID = 'demo-app-key';
/** Codes as phones type them, with their identities: the client ignores their case. */
const CODES = [
  { promoCode: 'WELCOME10', codeIdentity: 'WELCOME10' },
  { promoCode: 'Welcome10', codeIdentity: 'WELCOME10' },
  { promoCode: 'SUMMER26', codeIdentity: 'SUMMER26' },
  { promoCode: 'summer26', codeIdentity: 'SUMMER26' },
] as const;
const REFUSED = { promoCode: 'REFUSED', codeIdentity: 'REFUSED' };
const REFUSED_RATE = 0.05;
const RETRY_RATE = 0.5;

/** A request of a campaign. */
export interface Application {
  readonly user: string;
  readonly promoCode: string;
  /** The code that the promo code is in another case. */
  readonly codeIdentity: string;
  readonly requestDate: string;
  /** Unique: identifies the application that an item was made from. */
  readonly source: string;
  readonly deviceId: string;
  /** The part of the request that is wrong, if the service has to refuse it. */
  readonly flaw: 'App-Id' | 'userId' | 'body' | undefined;
  /** True if the app retries a failure that the service calls retryable. */
  readonly isPersistent: boolean;
}

/**
 * The result of a request. It is unresolved if no response arrived, or one that says that a retry
 * can help.
 */
export type Outcome = 'accepted' | 'queued' | 'refused' | 'unresolved';

/** Generates the applications of a campaign from its seed. */
export function generateApplications({
  seed,
  applications,
  users,
}: Readonly<Record<'seed' | 'applications' | 'users', number>>): Application[] {
  const next = randomNumbers(`${seed} applications`);
  const now = Date.now();
  return Array.from({ length: applications }, (_, index) => {
    const user = `user-${index % users}`;
    const isRefused = next() < REFUSED_RATE;
    return {
      user,
      ...(isRefused ? REFUSED : pick(CODES, next())),
      // Few dates, so that some requests are duplicates: a retry, or a second device.
      requestDate: new Date(now - Math.floor(next() * 3) * 60_000).toISOString(),
      source: `source-${index}`,
      deviceId: `device-${index}`,
      flaw: isRefused ? pick(['App-Id', 'userId', 'body'] as const, next()) : undefined,
      isPersistent: next() < RETRY_RATE,
    };
  });
}

/** Sends an application as an app does. */
export async function send(
  apiUrl: string,
  {
    user,
    promoCode,
    requestDate,
    source,
    deviceId,
    flaw,
  }: Omit<Application, 'codeIdentity' | 'isPersistent'>,
  idToken: string,
): Promise<Outcome> {
  const headers = headersOf({
    idToken,
    appId: flaw === 'App-Id' ? 'guessed' : APP_ID,
    requestDate,
    deviceId,
  });
  const body = JSON.stringify({
    clientId: CLIENT,
    promoCode,
    source,
    userId: flaw === 'userId' ? 'user-of-somebody-else' : user,
    eventType: flaw === 'body' ? '' : 'promo_applied',
  });
  try {
    const response = await fetch(`${apiUrl}/promoCode/apply`, { method: 'POST', headers, body });
    const { errors, notices, data } = JSON.parse(await response.text());
    if (errors.length === 0) return notices.length > 0 ? 'queued' : 'accepted';
    return data.retryable ? 'unresolved' : 'refused';
  } catch {
    return 'unresolved';
  }
}
