import {
  applyPromoCode,
  errorEnvelope,
  headersOf,
  OPERATIONS,
  ServiceUnavailableError,
} from 'customer-data-api/operations';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CHECKS } from '../../smoke/checks.ts';
import { Cleanup } from '../../smoke/cleanup.ts';
import { bodyOf, type Subject } from '../../smoke/requests.ts';
import { createClient } from '../../smoke/test-client-record.ts';
import { createUser } from '../../smoke/user.ts';
import { newService } from '../support/transcripts/shared-service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a body to be made wrong
type Answer = { status: number; headers: Record<string, string>; body: any };

const isSuccess = ({ name }: { name: string }) =>
  OPERATIONS.some(({ path }) => name.startsWith(path));
const successes = CHECKS.filter(isSuccess);
const refusals = CHECKS.filter(({ name }) => / is refused: /.test(name));
const [ofTable, ofLanguage] = [successes.slice(1, 2), successes.slice(2)];

/** Mistakes that a service can make, with the checks that notice them. */
const MISTAKES: readonly [what: string, change: Mistake, noticing: typeof CHECKS][] = [
  ['accepts what it should refuse', { isAccepting: true }, refusals],
  ['fails', { answer: failure }, successes],
  ['answers a page', { answer: page }, [...successes, ...refusals]],
  ['has no date', { answer: ({ headers }) => delete headers.date }, [...successes, ...refusals]],
  [
    'sends another code',
    { answer: ({ body }) => Object.assign(body.data, { code: 'X' }) },
    refusals,
  ],
  ['reorders fields', { answer: ({ body }) => body.data.fields?.reverse() }, successes.slice(0, 1)],
  [
    'ignores languages',
    { answer: ({ headers }) => delete headers['content-language'] },
    ofLanguage,
  ],
  [
    'only queues',
    { answer: ({ body, status }) => status === 200 && body.notices.push('?') },
    ofTable,
  ],
  ['stores nothing', { events: () => [] }, ofTable],
  ['stores each event twice', { events: (events) => [...events, ...events] }, ofTable],
  ['stores another source', { events: ([one]) => [{ ...one, source: 'other' }] }, ofTable],
];

interface Mistake {
  /** Replaces requests by good ones. */
  readonly isAccepting?: boolean;
  readonly answer?: (answer: Answer) => unknown;
  readonly events?: (events: readonly Record<string, unknown>[]) => Record<string, unknown>[];
}

function failure(answer: Answer) {
  Object.assign(answer, { status: 503, body: errorEnvelope(new ServiceUnavailableError()) });
}

function page(answer: Answer) {
  Object.assign(answer, { body: '<html>' });
}

test('each check notices the mistakes of a service that it is there for', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const { outputs, outputsFile } = await newService({});
  await using cleanup = new Cleanup(() => expect.unreachable('everything must be removed'));
  const user = await createUser(outputs, outputsFile, cleanup);
  const client = await createClient(outputs, cleanup);
  const subject: Subject = { url: outputs.ApiUrl, user, client, isUserBound: true };
  const { fetch } = globalThis;

  /** The checks that fail with a service that makes a mistake. */
  async function failing({ isAccepting, answer, events }: Mistake) {
    vi.stubGlobal('fetch', async (target: string, init: RequestInit) => {
      const headers = headersOf({
        idToken: user.idToken,
        appId: client.appId,
        deviceId: 'device',
        requestDate: new Date().toISOString(),
      });
      const good = { method: 'POST', headers: Object.entries(headers) };
      const body = Buffer.from(JSON.stringify(bodyOf(applyPromoCode, subject)));
      const response = isAccepting
        ? await fetch(`${subject.url}${applyPromoCode.path}`, { ...good, body })
        : await fetch(target, init);
      const received: Answer = {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.json(),
      };
      answer?.(received);
      const text =
        typeof received.body === 'string' ? received.body : JSON.stringify(received.body);
      return new Response(text, received);
    });
    const results: string[] = [];
    for (const { name, run } of CHECKS) {
      const known = new Set((await client.promoEvents()).map(({ eventId }) => eventId));
      const promoEvents = async () => {
        const fresh = (await client.promoEvents()).filter(({ eventId }) => !known.has(eventId));
        return events?.(fresh) ?? fresh;
      };
      const changed = { ...client, promoEvents };
      await run({ ...subject, client: changed }).catch(() => results.push(name));
    }
    return results;
  }

  expect(await failing({})).toEqual([]);
  for (const [what, mistake, noticing] of MISTAKES) {
    const expected = noticing.map(({ name }) => name);
    expect(expected.length, what).toBeGreaterThan(0);
    expect(await failing(mistake), what).toEqual(expect.arrayContaining(expected));
  }
});
