import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Configuration,
  fieldsFor,
  getConfig,
  loadConfiguration,
  type Result,
  type Session,
} from '../../src/index.ts';

const fetched = vi.fn<typeof fetch>();
const SESSION = {
  baseUrl: 'https://api.example.com',
  appId: 'key',
  deviceId: null,
  idToken: () => 'a.b.c',
  fetch: fetched,
};
const configurationOf = (lastFieldId: number): Configuration => ({ fields: [], lastFieldId });
const copyOf = (lastFieldId: number) => ({
  ...configurationOf(lastFieldId),
  storedAt: expect.stringMatching(/^2026-11-20T09:30:/),
});
const KEY = 'configuration https://api.example.com demo';
const success = (data: unknown) => Response.json({ errors: [], warnings: [], notices: [], data });

let stored: Map<string, string>;
let results: Result<Configuration>[];
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T09:30:00Z') });
  stored = new Map();
  results = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

const STORAGE = {
  getItem: async (key: string) => stored.get(key),
  setItem: async (key: string, value: string) => void stored.set(key, value),
};
/** Loads. Returns the configuration, and after how many milliseconds it was there. */
async function load(
  change: Partial<Parameters<typeof loadConfiguration>[1]> = {},
  session: Session = SESSION,
) {
  const start = Date.now();
  const loading = loadConfiguration(session, {
    clientId: 'demo',
    storage: STORAGE,
    onResult: (result) => void results.push(result),
    ...change,
  }).then((configuration) => ({ configuration, ms: Date.now() - start }));
  await vi.runAllTimersAsync();
  return loading;
}

test('the configuration of the service is returned at once, kept, and returned again without an answer', async () => {
  fetched.mockResolvedValueOnce(success(configurationOf(1)));
  expect(await load()).toEqual({ configuration: configurationOf(1), ms: 0 });
  fetched.mockReturnValue(new Promise(() => {}));
  expect(await load()).toEqual({ configuration: copyOf(1), ms: 2500 });
  expect((await load({ timeoutMs: 3000 })).ms).toBe(3000);
  fetched.mockRejectedValue(new TypeError('offline'));
  // Another client of the app has another one, and so has another deployment.
  expect((await load({ clientId: 'acme' })).configuration).toBeUndefined();
  const staging = { ...SESSION, baseUrl: 'https://staging.example.com' };
  expect((await load({}, staging)).configuration).toBeUndefined();
});

test('with a copy, a lost connection is retried once; without one, as long as the customer waits', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  fetched.mockRejectedValue(new TypeError('offline'));
  // After 0, 250, 750 and 1,750 milliseconds.
  expect(await load()).toEqual({ configuration: undefined, ms: 1750 });
  expect(fetched).toHaveBeenCalledTimes(4);
  stored.set(KEY, JSON.stringify(configurationOf(1)));
  fetched.mockClear();
  expect(await load()).toEqual({ configuration: configurationOf(1), ms: 250 });
  expect(fetched).toHaveBeenCalledTimes(2);
  vi.restoreAllMocks();
});

test('without time to wait, the stored copy is there at once, and the newer one for the next call', async () => {
  const answer = (lastFieldId: number) =>
    fetched.mockImplementationOnce(
      () =>
        new Promise((resolve) => setTimeout(resolve, 50, success(configurationOf(lastFieldId)))),
    );
  answer(1);
  expect(await load({ timeoutMs: 0 })).toEqual({ configuration: undefined, ms: 0 });
  answer(2);
  expect(await load({ timeoutMs: 0 })).toEqual({ configuration: copyOf(1), ms: 0 });
  expect(results).toMatchObject([{ data: { lastFieldId: 1 } }, { data: { lastFieldId: 2 } }]);
  fetched.mockRejectedValueOnce(new TypeError('offline'));
  expect((await load({ timeoutMs: 0 })).configuration).toEqual(copyOf(2));
  expect(results.at(-1)).toMatchObject({ outcome: 'noAnswer' });
});

test('an answer that comes later is kept and told', async () => {
  fetched.mockImplementationOnce(
    () => new Promise((resolve) => setTimeout(resolve, 10_000, success(configurationOf(2)))),
  );
  expect((await load()).configuration).toBeUndefined();
  expect(results).toMatchObject([{ outcome: 'success' }]);
  fetched.mockRejectedValue(new TypeError('offline'));
  expect((await load()).configuration).toEqual(copyOf(2));
  expect(results).toMatchObject([{}, { outcome: 'noAnswer' }]);
});

test('a response to an earlier request does not replace the configuration of a later one', async () => {
  const after = (ms: number, data: Configuration) =>
    fetched.mockImplementationOnce(
      () => new Promise((resolve) => setTimeout(resolve, ms, success(data))),
    );
  const inGerman = { ...SESSION, language: 'de' };
  after(6000, configurationOf(1));
  after(5000, configurationOf(2));
  after(10, configurationOf(3));
  await Promise.all([load({}, inGerman), load(), load()]);
  fetched.mockRejectedValue(new TypeError('offline'));
  for (const session of [SESSION, inGerman])
    expect((await load({}, session)).configuration).toEqual(copyOf(3));
});

test('a storage that fails or has been damaged costs nothing but the stored copy, and is told', async () => {
  const broken = {
    getItem: () => Promise.reject(new Error('no')),
    setItem: () => {
      throw new Error('full');
    },
  };
  const onUnstored = vi.fn();
  fetched.mockImplementation(async () => success(configurationOf(3)));
  expect((await load({ storage: broken, onUnstored })).configuration).toEqual(configurationOf(3));
  expect(onUnstored.mock.calls).toEqual([[new Error('full')]]);
  await load({ storage: broken });
  fetched.mockRejectedValue(new TypeError('offline'));
  expect((await load({ storage: broken })).configuration).toBeUndefined();
  for (const text of ['{', 'null', '1', '[]', '{"fields":{}}']) {
    const { configuration } = await load({ storage: { ...STORAGE, getItem: () => text } });
    expect([configuration, fieldsFor(configuration, 'register')]).toEqual([undefined, []]);
  }
  // What is kept is not replaced by what is none.
  stored.set(KEY, JSON.stringify(configurationOf(4)));
  fetched.mockResolvedValue(success({}));
  expect((await load()).configuration).toEqual(configurationOf(4));
});

test('each request has the id of the installation, which is kept', async () => {
  fetched.mockImplementation(async () => success(configurationOf(1)));
  const sent = () => new Headers(fetched.mock.lastCall?.[1]?.headers).get('installation-id');
  await load({ storage: { ...STORAGE } });
  const id = sent();
  expect(id).toMatch(/^\d{20,}$/);
  await load({ clientId: 'acme', storage: { ...STORAGE } });
  expect([sent(), stored.get('installation id')]).toEqual([id, id]);
  // Another one at each start would change the configuration during a rollout.
  await load({
    storage: { getItem: () => null, setItem: () => Promise.reject(new Error('full')) },
  });
  expect(sent()).toBe('0');
});

test('an id that no header can have, and one that is not stored yet, let no rollout reach the phone', async () => {
  fetched.mockImplementation(async () => success(configurationOf(1)));
  const sent = () => new Headers(fetched.mock.lastCall?.[1]?.headers).get('installation-id');
  for (const unsendable of ['\u{1f4f1}', 'ünï', 'x'.repeat(200), ' ', 'a\nb', 7, {}]) {
    stored.set('installation id', unsendable as string);
    await load({ storage: { ...STORAGE } });
    expect(sent()).toMatch(/^\d{20,}$/);
    expect(stored.get('installation id')).toBe(sent());
  }
  stored.clear();
  const slow = {
    ...STORAGE,
    setItem: async (key: string, value: string) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      stored.set(key, value);
    },
  };
  await load({ storage: slow });
  expect(sent()).toBe('0');
  // The same id, whichever call sends it.
  for (const send of [
    () => load({ storage: slow }),
    () => getConfig(SESSION, { clientId: 'demo' }, { storage: slow }),
  ]) {
    await send();
    expect(sent()).toBe(stored.get('installation id'));
  }
  await getConfig(SESSION, { clientId: 'demo' }, { installationId: 'ünï' });
  expect(sent()).toBe('0');
  await getConfig(SESSION, { clientId: 'demo' });
  expect(sent()).toBeNull();
});

test.each<[string, () => void]>([
  ['Web Locks', () => {}],
  ['nothing that makes them take turns', () => vi.stubGlobal('navigator', {})],
])('two tabs make one id at their first start, with %s', async (_, prepare) => {
  prepare();
  fetched.mockImplementation(async () => success(configurationOf(1)));
  vi.resetModules();
  const other = await import('../../src/index.ts');
  const loading = [loadConfiguration, other.loadConfiguration].map((one) =>
    one(SESSION, { clientId: 'demo', storage: { ...STORAGE } }),
  );
  await vi.runAllTimersAsync();
  await Promise.all(loading);
  const ids = fetched.mock.calls.map(([, init]) =>
    new Headers(init?.headers).get('installation-id'),
  );
  expect(ids).toEqual([stored.get('installation id'), stored.get('installation id')]);
  vi.unstubAllGlobals();
});

test('a storage that hangs keeps neither the form nor the stored copy from the customer', async () => {
  const hangs = () => new Promise<never>(() => {});
  fetched.mockImplementation(async () => success(configurationOf(1)));
  const onUnstored = vi.fn();
  const { configuration, ms } = await load({ storage: { ...STORAGE, setItem: hangs }, onUnstored });
  expect([configuration, ms]).toEqual([configurationOf(1), 300]);
  expect(onUnstored).toHaveBeenCalledOnce();
  fetched.mockRejectedValue(new TypeError('offline'));
  const offline = await load({ storage: { getItem: hangs, setItem: hangs } });
  expect(offline).toEqual({ configuration: undefined, ms: expect.any(Number) });
  expect(offline.ms).toBeLessThanOrEqual(3500);
  // Only one of its keys.
  stored.set(KEY, JSON.stringify(configurationOf(2)));
  const getItem = (key: string) => (key === KEY ? STORAGE.getItem(key) : hangs());
  expect((await load({ storage: { getItem, setItem: hangs } })).configuration).toEqual(
    configurationOf(2),
  );
});

test('the version and the language are in the configuration, and in its stored copy', async () => {
  const body = { errors: [], warnings: [], notices: [], data: configurationOf(1) };
  const headers = { 'Config-Version': 'a1b2', 'Content-Language': 'de' };
  fetched.mockResolvedValueOnce(Response.json(body, { headers }));
  const expected = { ...configurationOf(1), configVersion: 'a1b2', language: 'de' };
  expect((await load()).configuration).toEqual(expected);
  expect(results).toMatchObject([{ data: expected }]);
  fetched.mockRejectedValue(new TypeError('offline'));
  expect((await load()).configuration).toEqual({ ...copyOf(1), ...expected });
});

describe('a customer who changes the language', () => {
  const session = { ...SESSION, language: 'de' };
  const asked = () => new Headers(fetched.mock.lastCall?.[1]?.headers).get('accept-language');
  const answerOnce = (lastFieldId: number) =>
    fetched.mockResolvedValueOnce(success(configurationOf(lastFieldId)));
  const loadIn = async (language: string) =>
    (await load({}, Object.assign(session, { language }))).configuration?.lastFieldId;

  test('gets its stored copy offline, or else the last one of another language', async () => {
    answerOnce(1);
    expect([await loadIn('de'), asked()]).toEqual([1, 'de']);
    answerOnce(2);
    expect([await loadIn('fr-CA'), asked()]).toEqual([2, 'fr-CA']);
    fetched.mockRejectedValue(new TypeError('offline'));
    expect([await loadIn('de'), asked()]).toEqual([1, 'de']);
    expect([await loadIn('fr-CA'), await loadIn('ar')]).toEqual([2, 2]);
    // The copy of another language replaces a damaged one, too.
    stored.set(`${KEY} de`, '{');
    expect(await loadIn('de')).toBe(2);
  });

  test('finds an answer that comes later under the language that it was asked in', async () => {
    fetched.mockRejectedValueOnce(new TypeError('offline'));
    answerOnce(1);
    const loading = load({}, Object.assign(session, { language: 'de' }));
    session.language = 'fr';
    await loading;
    expect(asked()).toBe('de');
    answerOnce(2);
    await loadIn('fr');
    fetched.mockRejectedValue(new TypeError('offline'));
    expect([await loadIn('de'), await loadIn('fr')]).toEqual([1, 2]);
  });
});
