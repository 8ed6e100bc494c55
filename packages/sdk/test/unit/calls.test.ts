import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { ALL_HEADERS } from 'customer-data-api/operations';
import { close, listen } from 'customer-data-api-deployment/local';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyPromoCode, getConfig, type Session } from '../../src/index.ts';

const fetched = vi.fn<typeof fetch>();
const session = (change: Partial<Session> = {}): Session => ({
  baseUrl: 'https://api.example.com/prod//',
  appId: 'key',
  deviceId: 'device',
  idToken: () => 'a.b.c',
  fetch: fetched,
  ...change,
});
const REQUEST = { clientId: 'demo' };
const DEVICE_ID_NONE = '00000000-0000-0000-0000-000000000000';
const DATE = new Date('2026-11-20T09:30:00.123Z');
const ANSWERED = { headers: { 'x-amzn-RequestId': 'id-1' } };
const noAnswer = (cause: Error) => ({
  outcome: 'noAnswer',
  requestDate: expect.any(Date),
  requestId: undefined,
  cause,
});
const SUCCESS = { errors: [], warnings: ['w'], notices: ['n'], data: { fields: [] } };

beforeEach(() => {
  vi.useFakeTimers({ now: DATE, toFake: ['Date'] });
  fetched.mockImplementation(async () => Response.json(SUCCESS, ANSWERED));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

test('a request is sent once, with the headers of the service', async () => {
  const requestDate = new Date('2026-11-19T00:00:00Z');
  const options = { requestDate, installationId: '7' };
  expect(await getConfig(session({ language: 'de' }), REQUEST, options)).toEqual({
    outcome: 'success',
    requestDate,
    requestId: 'id-1',
    data: SUCCESS.data,
    warnings: ['w'],
    notices: ['n'],
  });
  expect(fetched).toHaveBeenCalledOnce();
  const [url, init] = fetched.mock.lastCall ?? [];
  expect(url).toBe('https://api.example.com/prod/customData/getConfig');
  expect(init).toMatchObject({ method: 'POST', body: JSON.stringify(REQUEST) });
  const sent = Object.fromEntries(new Headers(init?.headers));
  expect(sent).toEqual({
    'content-type': 'application/json',
    authorization: 'Bearer a.b.c',
    'app-id': 'key',
    'device-id': 'device',
    'request-date': '2026-11-19T00:00:00.000Z',
    'accept-language': 'de',
    'installation-id': '7',
  });
  const names = ALL_HEADERS.map(({ name }) => name.toLowerCase());
  expect(Object.keys(sent).toSorted()).toEqual(names.toSorted());
});

test('the languages are those of the app, or else of the platform, or else any', async () => {
  const asked = async (language: unknown) => {
    await getConfig(session({ language } as Partial<Session>), REQUEST);
    return new Headers(fetched.mock.lastCall?.[1]?.headers).get('accept-language');
  };
  vi.stubGlobal('navigator', { languages: ['de-AT', 'de', 'en'] });
  // As locales are written by Android, iOS and POSIX.
  const locales = [
    'fr',
    'de-x-formal',
    'zh_Hant_TW',
    'th_TH@calendar=gregorian',
    'pt_BR.UTF-8',
    ' no\n',
  ];
  const headers = ['fr', 'de-x-formal', 'zh-Hant-TW', 'th-TH', 'pt-BR', 'no'];
  for (const [index, locale] of locales.entries()) expect(await asked(locale)).toBe(headers[index]);
  for (const none of [undefined, null, '', '日本語']) expect(await asked(none)).toBe('de-AT,de,en');
  // What is no tag is left out; a list without any is none.
  for (const [languages, header] of [
    [['de_DE', 'de'], 'de-DE,de'],
    [['en-US@posix', 'C', 'fr'], 'en-US,fr'],
    [['', null, undefined, '日本語', 'fran\u00e7ais', 'de–AT', '*', 'pt-BR'], 'pt-BR'],
    [['x'.repeat(9), 'de;q=0.9', 'sv'], 'sv'],
    ['de,en', 'de,en'],
  ] as const) {
    vi.stubGlobal('navigator', { languages });
    expect(await asked(undefined)).toBe(header);
    expect(await asked('C.UTF-8')).toBe(header);
  }
  // As many as a page may send without a permission of CORS.
  for (const tag of ['zh-Hant-TW', `de-${'x'.repeat(8)}`, 'en']) {
    vi.stubGlobal('navigator', { languages: Array(90).fill(tag) });
    const header = (await asked(undefined)) ?? '';
    expect(header.length).toBeLessThanOrEqual(128);
    expect(header.length + tag.length + 1).toBeGreaterThan(128);
    expect(new Set(header.split(','))).toEqual(new Set([tag]));
  }
  const long = `de-${Array(20).fill('abcdefgh').join('-')}`;
  vi.stubGlobal('navigator', { languages: [long, 'en'] });
  const platform = Intl.DateTimeFormat().resolvedOptions().locale;
  for (const languages of [['日本語'], [], null, {}, 7, [long]]) {
    vi.stubGlobal('navigator', { languages });
    expect(await asked(undefined)).toBe(platform);
  }
  // As in React Native.
  vi.stubGlobal('navigator', { product: 'ReactNative' });
  expect(await asked(undefined)).toBe(platform);
  vi.stubGlobal('Intl', undefined);
  expect(await asked(undefined)).toBe('*');
});

test('the signal aborts a request that waits for its response, and one that was not sent yet', async () => {
  const cause = new Error('the page was closed');
  const controller = new AbortController();
  const { signal } = controller;
  fetched.mockImplementation(
    (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
      }),
  );
  const waiting = getConfig(session(), REQUEST, { signal });
  await vi.waitUntil(() => fetched.mock.calls.length > 0);
  controller.abort(cause);
  expect(await waiting).toEqual(noAnswer(cause));
  expect(fetched.mock.lastCall?.[1]?.signal?.aborted).toBe(true);
  const idToken = vi.fn(() => 'a.b.c');
  expect(await getConfig(session({ idToken }), REQUEST, { signal })).toEqual(noAnswer(cause));
  expect(idToken).not.toHaveBeenCalled();
  expect(fetched).toHaveBeenCalledOnce();
});

describe('a failure', () => {
  test('has the error, every entry and the warnings', async () => {
    const body = {
      errors: [
        { code: 'ValidationException', message: 'one', pointer: '/a' },
        { code: 'ValidationException', message: 'two' },
      ],
      warnings: ['w'],
      notices: [],
      data: { message: 'one two', code: 'ValidationException', statusCode: 400, retryable: false },
    };
    fetched.mockResolvedValue(Response.json(body, { status: 400, ...ANSWERED }));
    expect(await getConfig(session(), REQUEST)).toEqual({
      outcome: 'error',
      requestDate: DATE,
      requestId: 'id-1',
      error: body.data,
      errors: body.errors,
      warnings: ['w'],
    });
  });

  test.each(['errors', 'warnings', 'notices', 'data'])(
    'is not understood without %s, or with another type in its place',
    async (key) => {
      const { [key as keyof typeof SUCCESS]: __, ...others } = SUCCESS;
      for (const body of [others, { ...others, [key]: null }, { ...others, [key]: 'x' }]) {
        fetched.mockResolvedValue(Response.json(body, { status: 418 }));
        expect(await getConfig(session(), REQUEST)).toEqual({
          outcome: 'notUnderstood',
          requestDate: DATE,
          requestId: undefined,
          status: 418,
        });
      }
    },
  );

  test('is not understood if the data are not those of the operation', async () => {
    for (const data of [{}, { fields: {} }, { message: 'ok' }, []]) {
      fetched.mockResolvedValue(Response.json({ ...SUCCESS, data }));
      expect((await getConfig(session(), REQUEST)).outcome).toBe('notUnderstood');
    }
    const request = { ...REQUEST, promoCode: 'A', userId: 'u', eventType: 'e', source: 's' };
    // Release 0.1.0 sent no outcome.
    for (const [data, outcome] of [
      [{ message: 'The promo code was applied.' }, 'success'],
      [{ outcome: 'applied' }, 'notUnderstood'],
      [{ fields: [] }, 'notUnderstood'],
      [{ message: 1 }, 'notUnderstood'],
    ] as const) {
      fetched.mockResolvedValue(Response.json({ ...SUCCESS, data }));
      expect((await applyPromoCode(session(), request)).outcome).toBe(outcome);
    }
  });

  test('is not sent without an ID token, an App-Id or a body that can be sent, and says which', async () => {
    for (const [value, problem] of [
      [undefined, 'must be a string, not undefined'],
      [null, 'must be a string, not null'],
      // As Amplify 6 has it.
      [{ toString: () => 'a.b.c', payload: {} }, 'must be a string, not object'],
      [() => 'a.b.c', 'must be a string, not function'],
      [7, 'must be a string, not number'],
      ...['', ' \n', 'a\nb', '\u4e16', '\u007f'].map((text) => [text, 'cannot be a header']),
    ]) {
      for (const [name, change] of [
        ['App-Id', { appId: value }],
        ['ID token', { idToken: async () => value }],
      ] as const) {
        expect(await getConfig(session(change as Partial<Session>), REQUEST)).toMatchObject({
          outcome: 'notSent',
          cause: { message: `${name} ${problem}.` },
        });
      }
    }
    const unwritable = { clientId: 1n } as unknown as typeof REQUEST;
    expect((await getConfig(session(), unwritable)).outcome).toBe('notSent');
    expect(fetched).not.toHaveBeenCalled();
  });

  test.each([
    undefined,
    7,
    '',
    'api.example.com/prod',
    '//api.example.com',
    '/prod',
    'https:/api.example.com',
    'https://',
    'https://api.example.com:70000',
    'https://api .example.com',
    'https://jane:secret@api.example.com',
    'https://api.example.com/prod?stage=1',
    'https://api.example.com/prod#top',
    'ftp://api.example.com',
    'localhost:3000',
  ])('is not sent with the baseUrl %s, and says so', async (baseUrl) => {
    const result = await getConfig(session({ baseUrl } as Partial<Session>), REQUEST);
    expect(result).toMatchObject({ outcome: 'notSent', cause: expect.any(Error) });
    expect(fetched).not.toHaveBeenCalled();
  });

  test.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['HTTPS://api.example.com/prod/', 'HTTPS://api.example.com/prod'],
    [' https://api.example.com/prod\n', 'https://api.example.com/prod'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['https://bücher.example/prod//', 'https://bücher.example/prod'],
  ])('is not the baseUrl %j', async (baseUrl, used) => {
    expect((await getConfig(session({ baseUrl }), REQUEST)).outcome).toBe('success');
    expect(fetched.mock.lastCall?.[0]).toBe(`${used}/customData/getConfig`);
  });

  test('is a redirect of HTTPS: no other host gets the App-Id and the body', async () => {
    vi.useRealTimers();
    const received: string[] = [];
    const other = createServer(({ method, headers: { host = '' } }, response) => {
      received.push(`${method} ${host}`);
      response.end('{}');
    });
    const api = createServer((_, response) => {
      response.writeHead(307, { Location: `${otherOrigin}/portal` }).end();
    });
    const otherOrigin = await listen(other, 0);
    const origin = await listen(api, 0);
    // The TLS of the domain ends before these servers.
    const ofTls: typeof fetch = (url, init) =>
      fetch(String(url).replace(/^https?:\/\/[^/]+/, origin), init);
    try {
      for (const scheme of ['https', 'HTTPS']) {
        const baseUrl = `${scheme}://api.example.com`;
        const result = await getConfig(session({ baseUrl, fetch: ofTls }), REQUEST);
        expect([result.outcome, received]).toEqual(['noAnswer', []]);
      }
      // A domain may lead from HTTP to HTTPS.
      const baseUrl = 'http://api.example.com';
      await getConfig(session({ baseUrl, fetch: ofTls }), REQUEST);
      expect(received).toHaveLength(1);
    } finally {
      await Promise.all([close(api), close(other)]);
    }
  });

  test('has no answer if there is no connection, for the token, the headers or the body', async () => {
    const cause = new TypeError('terminated');
    const offline = session({ idToken: () => Promise.reject(cause) });
    expect(await getConfig(offline, REQUEST)).toEqual(noAnswer(cause));
    expect(fetched).not.toHaveBeenCalled();
    const broken = new ReadableStream({ start: (controller) => controller.error(cause) });
    fetched.mockRejectedValueOnce(cause).mockResolvedValueOnce(new Response(broken));
    for (let call = 0; call < 2; call++) {
      expect(await getConfig(session(), REQUEST)).toEqual(noAnswer(cause));
    }
  });

  test('never comes from the Device-Id: one that cannot be sent becomes zeros', async () => {
    const sent = async (deviceId: unknown) => {
      await getConfig(session({ deviceId } as Partial<Session>), REQUEST);
      return new Headers(fetched.mock.lastCall?.[1]?.headers).get('device-id');
    };
    const { maxLength } = JSON.parse(await readFile('openapi.json', 'utf8')).components.schemas
      .DeviceId;
    const unsendable = [
      '',
      ' ',
      'a\nb',
      '\u4e16',
      '\u{1f4f1}',
      '\x80',
      'x'.repeat(maxLength + 1),
      null,
      undefined,
      7,
    ];
    for (const one of unsendable) expect(await sent(one)).toBe(DEVICE_ID_NONE);
    for (const one of ['null', 'x'.repeat(maxLength)]) expect(await sent(` ${one}\n`)).toBe(one);
  });

  test('is not a header with any character that the Fetch standard sends', async () => {
    const appId = 'a\t ~\x80éb';
    expect((await getConfig(session({ appId }), REQUEST)).outcome).toBe('success');
    expect(new Headers(fetched.mock.lastCall?.[1]?.headers).get('app-id')).toBe(appId);
  });
});
