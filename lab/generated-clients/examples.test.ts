import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorEnvelope } from '../../functions/http/envelope.ts';
import {
  type ApiError,
  ServiceUnavailableError,
  ThrottlingError,
} from '../../functions/http/errors.ts';
import { signIdToken, type TokenOptions } from '../../packages/deployment/local/id-token.ts';
import { noWrites } from '../../test/support/fault-proxy.ts';
import { type FaultyService, startFaultyService } from '../../test/support/faulty-service.ts';
import { type Fate, startPhoneNetwork } from '../../test/support/phone-network.ts';
import { type Service, startService } from '../../test/support/service.ts';
import { translatedDemo } from '../../test/support/translated-demo.ts';
import { APPS, argumentsOf } from './documented-commands.ts';

const EXAMPLES = new URL('../../examples/apps/', import.meta.url);
const TWO_DAYS_MS = 48 * 60 * 60 * 1000;

let service: Service;
/** Its table of promo events takes no writes. */
let withoutWrites: FaultyService;
beforeAll(async () => {
  [service, withoutWrites] = await Promise.all([startService(), startFaultyService()]);
  withoutWrites.toDynamoDb.faultOf = noWrites;
  await withoutWrites.putConfig(translatedDemo());
});
afterAll(() => Promise.all([service.stop(), withoutWrites.stop()]));

describe('an app of the examples gets the configuration and applies a code', () => {
  test.each(APPS)('%s', async (script) => {
    const promoEvents = await service.promoEvents();
    const here = script
      .replaceAll('http://127.0.0.1:3000', service.outputs.ApiUrl)
      .replaceAll('npm run --silent token', `$& -- --folder ${service.folder}`);
    const { stdout } = await promisify(execFile)('/bin/sh', ['-euc', here]);
    // Maven resets the colours of the terminal.
    const printed = stripVTControlCharacters(stdout).trim();
    expect(printed.split('\n').slice(-5)).toEqual([
      'Company: text of at most 40 characters',
      'Preferred contact: one of By e-mail, By phone, Please do not',
      'Car: one of Volkswagen, Toyota, Another make and text of at most 10 characters',
      "Child's year of birth: text of at most 4 characters",
      'applied: The promo code was applied.',
    ]);
    expect(await service.promoEvents()).toHaveLength(promoEvents.length + 1);
  });
});

const PROGRAMS = {
  typescript: async () => [process.execPath, new URL('typescript/app.ts', EXAMPLES).pathname],
  kotlin: async () => ['java', ...(await argumentsOf(new URL('kotlin/', EXAMPLES), 'AppKt'))],
};
type Language = keyof typeof PROGRAMS;
const LANGUAGES = Object.keys(PROGRAMS) as Language[];

const answer =
  (status: number, body: string, type = 'application/json') =>
  () =>
    new Response(body, { status, headers: { 'Content-Type': type } });
const page = (status: number) =>
  answer(status, '<html><body>Bad Gateway</body></html>', 'text/html');
const refusal = (error: ApiError) => answer(error.statusCode, JSON.stringify(errorEnvelope(error)));

interface Trouble {
  /** The outcomes of the first attempts to apply the code; all later ones arrive. */
  readonly fates?: readonly Fate[];
  readonly clockOffset?: number;
  readonly token?: TokenOptions;
  readonly target?: Service;
}

let codes = 0;

async function start(language: Language, settings: Readonly<Record<string, string>>) {
  const [program = '', ...args] = await PROGRAMS[language]();
  return promisify(execFile)(program, args, { env: { ...process.env, ...settings } });
}

/**
 * Runs an app. Returns the last line that it printed, how often each date of a request left the
 * phone, and what is stored.
 */
async function run(language: Language, trouble: Trouble) {
  const { fates = [], clockOffset = 0, token, target = service } = trouble;
  await using network = await startPhoneNetwork(target.outputs.ApiUrl);
  const left = fates.values();
  network.fateOf = () => left.next().value ?? 'arrives';
  network.clockOffset = clockOffset;
  const PROMO_CODE = `CODE${codes++}`;
  const ID_TOKEN = await signIdToken(target.issuer, token);
  const { code, stdout, stderr } = await start(language, {
    API_URL: network.url,
    ID_TOKEN,
    PROMO_CODE,
  }).then(
    (printed) => ({ ...printed, code: 0 }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  // An app that succeeds complains about nothing.
  expect(code).toBe(stderr === '' ? 0 : 1);
  const events = await target.promoEvents();
  return {
    says: (stderr || stdout).trim().split('\n').at(-1),
    dates: network.attempts.map(({ requestDate }) => requestDate),
    stored: events.filter(({ promoCode }) => promoCode === PROMO_CODE).map(({ kind }) => kind),
  };
}

const RESENT: readonly [name: string, ...fates: Fate[]][] = [
  [
    'the page of a gateway, 429 and a lost response',
    page(502),
    refusal(new ThrottlingError()),
    'response lost' as const,
  ],
  [
    'the page of a captive portal, 503 and a lost request',
    page(200),
    refusal(new ServiceUnavailableError()),
    'request lost' as const,
  ],
  [
    'an empty answer of a gateway, and JSON that is not from the service',
    answer(502, ''),
    answer(403, '{"message":"Forbidden"}'),
    answer(200, '{}'),
  ],
];

describe.concurrent.each(LANGUAGES)('in trouble, the app in %s', (language) => {
  test.each(RESENT)('sends the request again, under the same date, after %s', async (...row) => {
    const [, ...fates] = row;
    const { dates, ...result } = await run(language, { fates });
    const says = 'applied: The promo code was applied.';
    expect(result).toEqual({ says, stored: ['applied'] });
    expect(dates).toHaveLength(fates.length + 1);
    expect(new Set(dates).size).toBe(1);
  });

  test('sends nothing before a Retry-After, not even if that is later than it gives up', async () => {
    const body = JSON.stringify(errorEnvelope(new ThrottlingError()));
    const headers = { 'Content-Type': 'application/json', 'Retry-After': '60' };
    const busy = () => new Response(body, { status: 429, headers });
    const { dates, stored } = await run(language, { fates: [busy] });
    expect([dates.length, stored]).toEqual([1, []]);
  });

  test('shows the fields in the language that the customer chose', async () => {
    const API_URL = withoutWrites.outputs.ApiUrl;
    const ID_TOKEN = await signIdToken(withoutWrites.issuer);
    for (const [APP_LANGUAGE, company] of [
      ['de', 'Firma'],
      ['fr-CA', 'Entreprise'],
    ] as const) {
      const { stdout } = await start(language, { API_URL, ID_TOKEN, APP_LANGUAGE });
      expect(stdout.split('\n')[0]).toBe(`${company}: text of at most 40 characters`);
    }
  });

  test('shows the fields that it knows, without those of a kind that a later release has added', async () => {
    await using network = await startPhoneNetwork(service.outputs.ApiUrl);
    let responses = 0;
    network.change = (body) =>
      // Something in between answers first.
      responses++ === 0
        ? '{}'
        : body.replace('"fields":[', '"fields":[{"id":"9","fieldType":"later"},');
    const ID_TOKEN = await signIdToken(service.issuer);
    const { stdout } = await start(language, { API_URL: network.url, ID_TOKEN });
    const fields = stdout.split('\n').slice(0, -2);
    expect(fields.map((line) => line.split(':')[0])).toEqual([
      'Company',
      'Preferred contact',
      'Car',
      "Child's year of birth",
    ]);
  });

  test('says that a code is queued', async () => {
    const { says } = await run(language, { target: withoutWrites });
    expect(says).toBe('queued: The promo code was accepted.');
  });

  test('says that the token has expired, and that a code is refused, without another attempt', async () => {
    expect(await run(language, { token: { expiresInSeconds: -5 } })).toEqual({
      says: 'NotAuthorizedException: Access Token has expired',
      dates: [],
      stored: [],
    });
    expect(await run(language, { token: { user: 'somebody-else' } })).toEqual({
      says: expect.stringMatching(/^ForbiddenException: .* userId: the claim sub is not userId\.$/),
      dates: [expect.any(String)],
      stored: [],
    });
  });

  test('corrects a wrong clock, or says that it is wrong', async () => {
    const { says, stored } = await run(language, { clockOffset: TWO_DAYS_MS });
    const corrects = language === 'typescript';
    expect(says).toMatch(corrects ? /^applied: / : /^Unauthorized: The header Request-Date /);
    expect(stored).toEqual(corrects ? ['applied'] : []);
  });

  test('gives up, and says so', async () => {
    const fates = Array.from({ length: 100 }, () => 'request lost' as const);
    const { dates, ...result } = await run(language, { fates });
    expect(result).toEqual({ says: 'The service did not answer.', stored: [] });
    expect(dates.length).toBeGreaterThan(3);
    expect(new Set(dates).size).toBe(1);
  });
});
