import * as sdk from '../../packages/sdk/src/index.ts';

/*
 * What an engine has to do for the app SDK, against a service within the engine. It uses nothing
 * that only some engines have.
 */

const REQUEST = {
  clientId: 'demo',
  promoCode: 'WELCOME10',
  userId: 'jane',
  eventType: 'promo_applied',
  source: 'profile',
};
const SUCCESS = {
  errors: [],
  warnings: [],
  notices: [],
  data: { message: 'Applied.', outcome: 'applied' },
};
const TWO_DAYS_MS = 48 * 60 * 60 * 1000;

function refusal(code: string, retryable: boolean, header?: string) {
  const errors = [{ code, message: 'Some reason.', ...(header && { header }) }];
  return {
    ...SUCCESS,
    errors,
    data: { code, message: 'Some reason.', statusCode: 400, retryable },
  };
}

/** The bodies of the responses, in order; undefined for a response that is lost. */
const ANSWERS: readonly unknown[] = [
  undefined,
  refusal('ServiceUnavailableException', true),
  refusal('NotAuthorizedException', false),
  SUCCESS,
  refusal('Unauthorized', false, 'Request-Date'),
  SUCCESS,
];

/** Applies a promo code, and another through a queue. Returns the results and what was sent. */
export async function scenario(): Promise<unknown> {
  const start = Date.now();
  const sent: unknown[] = [];
  const stored: Record<string, string> = {};
  let token = 'old';
  const fetch = async (url: string, { headers, body }: { headers: Headers; body: string }) => {
    const days = Math.round((Date.parse(headers['Request-Date'] ?? '') - start) / TWO_DAYS_MS) * 2;
    const answer = ANSWERS[sent.length];
    sent.push({ url, body: JSON.parse(body), authorization: headers.Authorization, days });
    if (answer === undefined) throw new Error('lost');
    const answered: Headers = {
      'x-amzn-RequestId': `id-${sent.length}`,
      Date: new Date(start + TWO_DAYS_MS).toUTCString(),
    };
    return {
      status: 200,
      headers: { get: (name: string) => answered[name] ?? null },
      text: async () => JSON.stringify(answer),
    };
  };
  const session: sdk.Session = {
    baseUrl: 'https://api.example.com/',
    appId: 'key',
    deviceId: 'device',
    idToken: () => token,
    refreshTokens: () => {
      token = 'new';
    },
    fetch: fetch as unknown as typeof globalThis.fetch,
  };
  const queued: sdk.QueuedResult[] = [];
  const queue = sdk.promoCodeQueue({
    session,
    clientId: REQUEST.clientId,
    userId: REQUEST.userId,
    onResult: (result) => queued.push(result),
    storage: {
      getItem: (key) => stored[key],
      setItem: (key, value) => {
        stored[key] = value;
      },
    },
  });
  const first = await sdk.applyPromoCode(session, REQUEST, { retry: true });
  await queue.add({ ...REQUEST, promoCode: 'SUMMER26' });
  await queue.send();
  const results = [first, ...queued.map(({ result }) => result)];
  return {
    sent,
    stored,
    results: results.map(({ outcome, requestId }) => ({ outcome, requestId })),
  };
}

type Headers = Readonly<Record<string, string>>;
