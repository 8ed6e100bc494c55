import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Configuration, fieldsFor, loadConfiguration, type Result } from '../../src/index.ts';

const fetched = vi.fn<typeof fetch>();
const SESSION = {
  baseUrl: 'https://api.example.com',
  appId: 'key',
  deviceId: null,
  idToken: () => 'a.b.c',
  fetch: fetched,
};
const configurationOf = (lastFieldId: number): Configuration => ({ fields: [], lastFieldId });
const success = (data: unknown) => Response.json({ errors: [], warnings: [], notices: [], data });

let stored: Map<string, string>;
let results: Result<Configuration>[];
beforeEach(() => {
  vi.useFakeTimers();
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
async function load(change: Partial<Parameters<typeof loadConfiguration>[1]> = {}) {
  const start = Date.now();
  const loading = loadConfiguration(SESSION, {
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
  expect(await load()).toEqual({ configuration: configurationOf(1), ms: 2500 });
  expect((await load({ timeoutMs: 3000 })).ms).toBe(3000);
  fetched.mockRejectedValue(new TypeError('offline'));
  const { configuration, ms } = await load();
  expect([configuration, ms <= 2500]).toEqual([configurationOf(1), true]);
  // Another client of the app has another one.
  expect((await load({ clientId: 'acme' })).configuration).toBeUndefined();
});

test('an answer that comes later is kept and told', async () => {
  fetched.mockImplementationOnce(
    () => new Promise((resolve) => setTimeout(resolve, 10_000, success(configurationOf(2)))),
  );
  expect((await load()).configuration).toBeUndefined();
  expect(results).toMatchObject([{ outcome: 'success' }]);
  fetched.mockRejectedValue(new TypeError('offline'));
  expect((await load()).configuration).toEqual(configurationOf(2));
  expect(results).toMatchObject([{}, { outcome: 'noAnswer' }]);
});

test('a storage that fails or has been damaged costs nothing but the stored copy', async () => {
  const broken = {
    getItem: () => Promise.reject(new Error('no')),
    setItem: () => {
      throw new Error('full');
    },
  };
  fetched.mockResolvedValueOnce(success(configurationOf(3)));
  expect((await load({ storage: broken })).configuration).toEqual(configurationOf(3));
  fetched.mockRejectedValue(new TypeError('offline'));
  expect((await load({ storage: broken })).configuration).toBeUndefined();
  for (const text of ['{', 'null', '1', '[]', '{"fields":{}}']) {
    const { configuration } = await load({ storage: { ...STORAGE, getItem: () => text } });
    expect([configuration, fieldsFor(configuration, 'register')]).toEqual([undefined, []]);
  }
  // What is kept is not replaced by what is none.
  stored.set('configuration demo', JSON.stringify(configurationOf(4)));
  fetched.mockResolvedValue(success({}));
  expect((await load()).configuration).toEqual(configurationOf(4));
});
