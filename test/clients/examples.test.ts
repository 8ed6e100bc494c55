import { execFile } from 'node:child_process';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorEnvelope } from '../../functions/api/envelope.ts';
import {
  type ApiError,
  ServiceUnavailableError,
  ThrottlingError,
} from '../../functions/api/errors.ts';
import { signIdToken, type TokenOptions } from '../../local/id-token.ts';
import { noWrites } from '../support/fault-proxy.ts';
import { type FaultyService, startFaultyService } from '../support/faulty-service.ts';
import { type Fate, PhoneNetwork } from '../support/phone-network.ts';
import { type Service, startService } from '../support/service.ts';
import { documentedCommands } from './documented-commands.ts';
import { argumentsOf } from './java-program.ts';

const { apps } = await documentedCommands();
const EXAMPLES = new URL('../../examples/apps/', import.meta.url);
const TWO_DAYS_MS = 48 * 60 * 60 * 1000;

let service: Service;
/** Its table of promo events takes no writes. */
let withoutWrites: FaultyService;
beforeAll(async () => {
  [service, withoutWrites] = await Promise.all([startService(), startFaultyService()]);
  withoutWrites.toDynamoDb.faultOf = noWrites;
});
afterAll(() => Promise.all([service.stop(), withoutWrites.stop()]));

test('the document shows how to run an app in each language', () => {
  expect(apps.map((script) => /examples\/apps\/(\w+)/.exec(script)?.[1])).toEqual([
    'typescript',
    'kotlin',
    'java',
  ]);
});

describe('an app of the examples gets the configuration and applies a code', () => {
  test.each(apps)('%s', async (script) => {
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

const APPS = {
  typescript: async () => [process.execPath, new URL('typescript/app.ts', EXAMPLES).pathname],
  kotlin: async () => ['java', ...(await argumentsOf(new URL('kotlin/', EXAMPLES), 'AppKt'))],
  java: async () => ['java', ...(await argumentsOf(new URL('java/', EXAMPLES), 'App'))],
};
type Language = keyof typeof APPS;
const LANGUAGES = Object.keys(APPS) as Language[];

interface Trouble {
  /** What becomes of the first attempts to apply the code; all later ones arrive. */
  readonly fates?: readonly Fate[];
  readonly clockOffset?: number;
  readonly token?: TokenOptions;
  readonly service?: Service;
}

let codes = 0;

/** Runs an app, and says what it printed and what reached the network and the table. */
async function run(language: Language, trouble: Trouble) {
  const { fates = [], clockOffset = 0, token, service: target = service } = trouble;
  await using network = await PhoneNetwork.start(target.outputs.ApiUrl);
  const left = fates.values();
  network.fateOf = () => left.next().value ?? 'arrives';
  network.clockOffset = clockOffset;
  const promoCode = `CODE${codes++}`;
  const [program = '', ...args] = await APPS[language]();
  const { code, stdout, stderr } = await promisify(execFile)(program, args, {
    env: {
      ...process.env,
      API_URL: network.url,
      ID_TOKEN: await signIdToken(target.issuer, token),
      PROMO_CODE: promoCode,
    },
  }).then(
    (printed) => ({ ...printed, code: 0 }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const events = await target.promoEvents();
  return {
    code,
    lastLine: stdout.trim().split('\n').at(-1),
    stderr,
    dates: network.attempts.map(({ requestDate }) => requestDate),
    stored: events.filter((event) => event.promoCode === promoCode).map(({ kind }) => kind),
  };
}

const answer =
  (status: number, body: string, type = 'text/html') =>
  () =>
    new Response(body, { status, headers: { 'Content-Type': type } });
const page = '<html><body>Bad Gateway</body></html>';
const refusal = (error: ApiError) =>
  answer(error.statusCode, JSON.stringify(errorEnvelope(error)), 'application/json');

const RESENT: readonly [name: string, fates: readonly Fate[]][] = [
  [
    'the page of a gateway, 429 and a lost response',
    [answer(502, page), refusal(new ThrottlingError()), 'response lost'],
  ],
  [
    'the page of a captive portal, 503 and a lost request',
    [answer(200, page), refusal(new ServiceUnavailableError()), 'request lost'],
  ],
  [
    'an empty answer of a gateway, and JSON that is not from the service',
    [
      answer(502, ''),
      answer(403, '{"message":"Forbidden"}', 'application/json'),
      answer(200, '{}', 'application/json'),
    ],
  ],
];

describe.concurrent.each(LANGUAGES)('in trouble, the app in %s', (language) => {
  test.each(RESENT)('sends the request again, under the same date, after %s', async (_, fates) => {
    const { dates, ...result } = await run(language, { fates });
    expect(result).toEqual({
      code: 0,
      lastLine: 'applied: The promo code was applied.',
      stderr: '',
      stored: ['applied'],
    });
    expect(dates).toHaveLength(fates.length + 1);
    expect(new Set(dates).size).toBe(1);
  });

  test('says that a code is queued', async () => {
    expect(await run(language, { service: withoutWrites })).toMatchObject({
      code: 0,
      lastLine: 'queued: The promo code was accepted.',
      stored: [],
    });
  });

  test('says that the token has expired', async () => {
    expect(await run(language, { token: { expiresInSeconds: -5 } })).toMatchObject({
      code: 1,
      stderr: 'NotAuthorizedException: Access Token has expired\n',
      dates: [],
    });
  });

  test('does not send a refused code again', async () => {
    const { dates, ...result } = await run(language, { token: { user: 'somebody-else' } });
    expect(result).toMatchObject({
      code: 1,
      stderr: 'ForbiddenException: The token does not belong to the user in userId.\n',
      stored: [],
    });
    expect(dates).toHaveLength(1);
  });

  if (language === 'typescript') {
    test('corrects a wrong clock', async () => {
      const { dates, ...result } = await run(language, { clockOffset: TWO_DAYS_MS });
      expect(result).toMatchObject({ code: 0, stderr: '', stored: ['applied'] });
      expect(dates).toHaveLength(1);
    });
  } else {
    test('says that the clock is wrong', async () => {
      expect(await run(language, { clockOffset: TWO_DAYS_MS })).toMatchObject({
        code: 1,
        stderr:
          'Unauthorized: The header Request-Date is malformed: it must be within 86400 seconds of the time of the server.\n',
        dates: [],
      });
    });
  }

  test('gives up, and says so', async () => {
    const fates = Array.from({ length: 100 }, () => 'request lost' as const);
    const { dates, ...result } = await run(language, { fates });
    expect(result).toMatchObject({
      code: 1,
      stderr: 'The service did not answer.\n',
      stored: [],
    });
    expect(dates.length).toBeGreaterThan(3);
    expect(new Set(dates).size).toBe(1);
  });
});
