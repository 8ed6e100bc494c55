import { fileURLToPath } from 'node:url';
import { readDocument } from 'customer-data-api/testing/documents/document';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApplyPromoCodeRequest, Session } from '../../src/index.ts';

/* The sample of the package's README with the queue, as an app that has copied it. */

interface Codes {
  send: () => void;
  apply: (request: Omit<ApplyPromoCodeRequest, 'clientId' | 'userId'>) => Promise<void>;
  signOut: () => void;
}
let promoCodesOf: (session: Session, userId: string, app: object) => Codes;

/** The user and the code of each request, and the user of its token; whether it arrives. */
let sent: string[];
let isOnline: boolean;
let signedIn: string;
let shown: string[];
beforeEach(async () => {
  const { blocks } = await readDocument('packages/sdk/README.md');
  const sample = blocks.find(({ text }) => text.includes('promoCodesOf('))?.text ?? '';
  const { outputFiles } = await build({
    stdin: { contents: sample, loader: 'ts', resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    alias: {
      'customer-data-api-sdk': fileURLToPath(new URL('../../src/index.ts', import.meta.url)),
    },
  });
  const module = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`;
  ({ promoCodesOf } = await import(/* @vite-ignore */ module));
  vi.useFakeTimers();
  [sent, shown, isOnline, signedIn] = [[], [], true, 'jane'];
  vi.stubGlobal('navigator', {});
  // It would reach other test files.
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal(
    'fetch',
    async (_: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
      const { userId, promoCode } = JSON.parse(body);
      sent.push(`${promoCode} of ${userId} as ${headers.Authorization?.slice('Bearer '.length)}`);
      if (!isOnline) throw new TypeError('offline');
      const data = { message: 'Applied.', outcome: 'applied' };
      return Response.json({ errors: [], warnings: [], notices: [], data });
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const stored = new Map<string, string>();
beforeEach(() => stored.clear());
const app = {
  log: () => {},
  showToCustomer: (text: string) => shown.push(text),
  storage: {
    getItem: async (key: string) => stored.get(key),
    setItem: async (key: string, value: string) => void stored.set(key, value),
  },
};

/** Mimics an app that has one session with Cognito at a time. Its tokens take a while. */
function signIn(userId: string): Codes {
  signedIn = userId;
  const idToken = async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return signedIn;
  };
  const session = { baseUrl: 'https://api.example.com', appId: 'key', deviceId: null, idToken };
  return promoCodesOf(session, userId, app);
}

const code = (promoCode: string) => ({
  promoCode,
  eventType: 'promo_applied',
  source: 'profile',
});

test('a code is sent with the token of its customer only, whoever signs in meanwhile', async () => {
  const janes = signIn('jane');
  isOnline = false;
  await janes.apply(code('A'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(new Set(sent)).toEqual(new Set(['A of jane as jane']));
  // While an attempt waits for its token.
  janes.send();
  await vi.advanceTimersByTimeAsync(50);
  [sent, shown, isOnline] = [[], [], true];
  janes.signOut();
  const joes = signIn('joe');
  await joes.apply(code('B'));
  // The app has forgotten a listener.
  janes.send();
  await vi.runAllTimersAsync();
  expect([sent, shown]).toEqual([['B of joe as joe'], ['B: Code received.']]);
  joes.signOut();
  signIn('jane');
  await vi.runAllTimersAsync();
  expect([sent[1], shown[1]]).toEqual(['A of jane as jane', 'A: Code received.']);
  expect(sent).toHaveLength(2);
});

test('the customer reads once that a code waits: when it was not sent, or after three seconds', async () => {
  const codes = signIn('jane');
  isOnline = false;
  await codes.apply(code('A'));
  await vi.advanceTimersByTimeAsync(200);
  expect(shown).toEqual(['A: We will send this code.']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shown).toHaveLength(1);
  isOnline = true;
  codes.send();
  await vi.runAllTimersAsync();
  expect(shown.slice(1)).toEqual(['A: Code received.']);
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  await codes.apply(code('B'));
  await vi.advanceTimersByTimeAsync(2900);
  expect(shown).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(100);
  expect(shown.slice(2)).toEqual(['B: We will send this code.']);
  codes.signOut();
});

test('a code that was pasted with a space is sent whole, and what is no code is refused', async () => {
  const codes = signIn('jane');
  for (const entered of [' ', 'SUMMER 2026', ' SUMMER2026\u200b']) await codes.apply(code(entered));
  await vi.runAllTimersAsync();
  const refused = 'A promo code has 1 to 10 characters.';
  expect(shown).toEqual([refused, refused, 'SUMMER2026\u200b: Code received.']);
  expect(sent).toHaveLength(1);
});
