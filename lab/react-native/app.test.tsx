import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, render, screen, userEvent } from '@testing-library/react-native';
import { type ComponentType, StrictMode } from 'react';
import type { AppStorage, Configuration, Session } from '../../packages/sdk/src/index.ts';
import { fakeFetch } from '../../packages/sdk/src/testing.ts';
import vectors from '../../packages/sdk/test-vectors/fields.json';

/* The app of the README of the app SDK, in StrictMode, as React runs it during development. */

interface App {
  session: Session;
  userId: string;
  storage: AppStorage;
  bundled?: Configuration;
  log: (problem: unknown) => void;
}
const { Registration, PromoCodes } = jest.requireActual<{
  Registration: ComponentType<{ app: App; stored: object; save: (...args: unknown[]) => void }>;
  PromoCodes: ComponentType<{ app: App }>;
}>('../../packages/sdk/README.md');

const { configuration } = vectors as unknown as { configuration: Configuration };
const [name, ...others] = configuration.fields;
const configurationIn = (language: string): Configuration => ({
  ...configuration,
  fields: [{ ...name, fieldName: `name in ${language}` } as (typeof others)[number]],
  configVersion: `of ${language}`,
  language,
});

let stored: Map<string, string>;
let app: App;
/** The codes that were sent. */
let sent: string[];
let user: ReturnType<typeof userEvent.setup>;
beforeEach(() => {
  jest.useFakeTimers();
  user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  stored = new Map();
  sent = [];
  app = {
    session: {
      baseUrl: 'https://api.example.com',
      appId: 'key',
      deviceId: null,
      idToken: () => 'a',
    },
    userId: 'jane',
    storage: {
      getItem: async (key) => stored.get(key),
      setItem: async (key, value) => void stored.set(key, value),
    },
    log: () => {},
  };
});
afterEach(() => {
  jest.useRealTimers();
});

function answerWith(answers: Parameters<typeof fakeFetch>[0]): void {
  const fake = fakeFetch(answers);
  const fetch: typeof fake = (url, init) => {
    const { promoCode } = JSON.parse(String(init?.body));
    if (promoCode) sent.push(promoCode);
    return fake(url, init);
  };
  app.session = { ...app.session, fetch };
}
const wait = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const shows = (text: string) => screen.queryByText(text) !== null;

async function enter(code: string): Promise<void> {
  await user.type(screen.getByLabelText('Promo code'), code);
  await user.press(screen.getByRole('button', { name: /apply/i }));
}

test('the registration is shown once it is loaded, and its answers are saved with its version', async () => {
  answerWith({ getConfig: [configurationIn('en')] });
  const save = jest.fn();
  await render(<Registration app={app} stored={{ other: [['kept']] }} save={save} />, {
    wrapper: StrictMode,
  });
  await wait(0);
  await user.type(screen.getByLabelText('name in en'), 'Ann');
  await user.press(screen.getByRole('button', { name: /continue/i }));
  expect(save.mock.calls).toEqual([[{ [name?.id ?? '']: [['Ann']] }, 'of en']]);
});

test('what the customer has typed stays when they choose another language, or a newer one comes', async () => {
  answerWith({ getConfig: [configurationIn('en'), configurationIn('en'), configurationIn('de')] });
  const screenOf = () => <Registration app={{ ...app }} stored={{}} save={() => {}} />;
  const { rerender } = await render(screenOf(), { wrapper: StrictMode });
  await wait(0);
  await user.type(screen.getByLabelText('name in en'), 'Ann');
  await rerender(screenOf());
  await wait(0);
  expect(screen.getByLabelText('name in en')).toHaveDisplayValue('Ann');
  app.session.language = 'de';
  await rerender(screenOf());
  await wait(0);
  expect(screen.getByLabelText('name in de')).toHaveDisplayValue('Ann');
  // Without a connection, and a storage that cannot be read, the form stays as it is.
  answerWith({});
  app.storage = { ...app.storage, getItem: () => null };
  app.session.language = 'fr';
  await rerender(screenOf());
  await wait(2500);
  expect(screen.getByLabelText('name in de')).toHaveDisplayValue('Ann');
});

test('a response in the language before does not replace that in the language of the customer', async () => {
  const inEnglish = fakeFetch({ getConfig: [configurationIn('en')] });
  const inGerman = fakeFetch({ getConfig: [configurationIn('de')] });
  const fetch: typeof inEnglish = async (...request) => {
    if (app.session.language === 'de') return inGerman(...request);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return inEnglish(...request);
  };
  app.session = { ...app.session, fetch };
  const screenOf = () => <Registration app={{ ...app }} stored={{}} save={() => {}} />;
  const { rerender } = await render(screenOf(), { wrapper: StrictMode });
  await wait(500);
  app.session.language = 'de';
  await rerender(screenOf());
  await wait(1000);
  expect(screen.getByLabelText('name in de')).toBeOnTheScreen();
});

test('without a connection, the configuration that was shipped with the app is shown', async () => {
  answerWith({});
  app.bundled = configurationIn('en');
  await render(<Registration app={app} stored={{}} save={() => {}} />, { wrapper: StrictMode });
  await wait(0);
  expect(screen.queryByLabelText('name in en')).toBeNull();
  await wait(2500);
  expect(screen.getByLabelText('name in en')).toBeOnTheScreen();
});

test('a code is sent once, and the customer reads once that it waits, then its result', async () => {
  answerWith({ applyPromoCode: ['noAnswer', 'noAnswer', 'applied'] });
  await render(<PromoCodes app={app} />, { wrapper: StrictMode });
  await enter('SUMMER26');
  await wait(0);
  expect(shows('SUMMER26: We will send this code.\n')).toBe(true);
  await wait(60_000);
  expect(shows('SUMMER26: Code received.\n')).toBe(true);
  await wait(60_000);
  expect(sent).toEqual(['SUMMER26', 'SUMMER26', 'SUMMER26']);
  expect(screen.getByLabelText('Promo code')).toHaveDisplayValue('');
});

test('a code that was pasted with a space is sent whole, and what is no code is refused', async () => {
  answerWith({ applyPromoCode: ['applied'] });
  await render(<PromoCodes app={app} />, { wrapper: StrictMode });
  for (const entered of [' ', 'SUMMER 2026']) {
    await enter(entered);
    expect(shows('A promo code has 1 to 10 characters.')).toBe(true);
    await user.clear(screen.getByLabelText('Promo code'));
  }
  await enter(' SUMMER2026');
  await wait(0);
  expect([sent, shows('SUMMER2026: Code received.\n')]).toEqual([['SUMMER2026'], true]);
});

test('after three seconds without a response, the customer reads that the code waits', async () => {
  app.session = { ...app.session, fetch: () => new Promise(() => {}) };
  await render(<PromoCodes app={app} />, { wrapper: StrictMode });
  await enter('SUMMER26');
  await wait(2900);
  expect(shows('SUMMER26: We will send this code.\n')).toBe(false);
  await wait(100);
  expect(shows('SUMMER26: We will send this code.\n')).toBe(true);
});

test('a code that waits when the customer signs out is sent after the next sign-in, and by nobody else', async () => {
  answerWith({});
  const janes = await render(<PromoCodes app={app} />, { wrapper: StrictMode });
  await enter('SUMMER26');
  await wait(1000);
  await janes.rerender(<PromoCodes app={{ ...app, userId: 'joe' }} />);
  expect(screen.queryByText(/SUMMER26/)).toBeNull();
  sent = [];
  await wait(120_000);
  await janes.unmount();
  await wait(120_000);
  expect(sent).toEqual([]);
  answerWith({ applyPromoCode: ['applied'] });
  await render(<PromoCodes app={app} />, { wrapper: StrictMode });
  await wait(1000);
  expect([sent, shows('SUMMER26: Code received.\n')]).toEqual([['SUMMER26'], true]);
});

test('a code that waits is sent again each minute, such as after the token was missing', async () => {
  answerWith({ applyPromoCode: ['applied'] });
  let token = '';
  app.session = { ...app.session, idToken: () => token };
  await render(<PromoCodes app={app} />, { wrapper: StrictMode });
  await enter('SUMMER26');
  await wait(59_000);
  token = 'a';
  expect(sent).toEqual([]);
  await wait(1000);
  expect(sent).toEqual(['SUMMER26']);
});

test('a code that cannot be stored stays in the input, and the customer reads that', async () => {
  app.storage = { ...app.storage, setItem: () => Promise.reject(new Error('full')) };
  await render(<PromoCodes app={app} />, { wrapper: StrictMode });
  await enter('SUMMER26');
  await wait(0);
  expect(screen.getByLabelText('Promo code')).toHaveDisplayValue('SUMMER26');
  expect(shows('Please try again.')).toBe(true);
});
