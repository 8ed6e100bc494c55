import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { PIZZA } from '../support/configurations.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';

/* Whatever somebody wrote into a table is shown as text, on every screen. */

const MARKUP = '<img src=x onerror="window.hacked=1" class="hacked"><b class="hacked">bold</b>';
const TEXTS = [
  MARKUP,
  '<script>window.hacked=1</script>',
  '"><svg onload=window.hacked=1>',
  'javascript:window.hacked=1',
  `{{constructor.constructor('window.hacked=1')()}}`,
  '\u202eright to left\u202c \u2066isolated\u2069',
  '\0\x1b[31m\n\r\t\u2028',
  'x'.repeat(10_000),
  '&lt;b&gt;&amp;',
];
/** The most screens that the test visits. */
const MAX_SCREENS = 60;

let running: ConsoleInChromium;
let page: Page;
const wrong: string[] = [];
beforeAll(async () => {
  running = await startConsoleInChromium();
  const { service } = running;
  const [drop, number, combo] = parse(PIZZA).fields;
  const by = { by: MARKUP, message: MARKUP, at: new Date().toISOString() };
  await service.putConfig({
    ...{ clientId: MARKUP, appIds: new Set([MARKUP]), appIdLabels: { '0': MARKUP } },
    ...{ lastChange: { id: 'id', ...by }, [MARKUP]: MARKUP, lastFieldId: MARKUP },
    fields: TEXTS.map((text, index) => ({
      ...{ ...drop, id: `${index}`, fieldName: text, addButtonText: text, [text]: text },
      subFieldA: { ...drop.subFieldA, placeHolderText: text },
      optionsArray: [{ value: text, display: text }],
    })),
  });
  await service.putConfig({
    ...{
      clientId: 'hostile',
      appIds: new Set(['app']),
      lastFieldId: 99,
      lastChange: { id: 'id', ...by },
    },
    fields: TEXTS.flatMap((text, index) => [
      {
        ...{ ...drop, id: `${index}a`, fieldName: text, addButtonText: text },
        subFieldA: {
          ...{ ...drop.subFieldA, placeHolderText: text },
          optionsArray: [{ value: text, display: text }],
        },
      },
      {
        ...number,
        id: `${index}b`,
        fieldName: text,
        subFieldA: { ...number.subFieldA, placeHolderText: text },
      },
      { ...combo, id: `${index}c`, fieldName: text },
    ]),
  });
  for (const [index, text] of TEXTS.slice(0, 5).entries()) {
    await service.applyPromoCode({
      token: { user: text },
      headers: { 'Device-Id': '<b class=hacked>' },
      body: {
        ...{ clientId: 'demo', promoCode: `<b>${index}`, userId: text },
        ...{ eventType: '<b class=hacked>', source: '<i class=hacked>' },
      },
    });
  }
  page = await running.browser.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => wrong.push(dialog.message())));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML/.test(message.text())) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOwn = origin === new URL(running.console.url).origin;
    if (!isOwn && protocol !== 'data:' && protocol !== 'blob:') wrong.push(request.url());
  });
});
afterAll(() => running[Symbol.asyncDispose]());

/** Visits the screens that links lead to, from the first one. */
async function* screens(): AsyncGenerator<string> {
  const seen = new Set<string>();
  const waiting = [running.console.url];
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    if (seen.has(url) || seen.size === MAX_SCREENS) continue;
    seen.add(url);
    await page.goto(url);
    await page.getByText('Loading…').waitFor({ state: 'detached' });
    yield url;
    // What a screen shows only when it is asked.
    for (const name of [
      / error|^My field|Dropdown|Two inputs|Text$/,
      /^Search$/,
      /^Compare/,
      /^Look/,
    ]) {
      for (const button of (await page.getByRole('button', { name }).all()).slice(0, 12)) {
        await button.click();
        await page.getByText('Loading…').waitFor({ state: 'detached' });
        yield url;
      }
    }
    const links = await page.evaluate(() =>
      [...document.querySelectorAll('a')].map(({ href }) => href),
    );
    waiting.push(...links.filter((link) => link.startsWith(new URL(running.console.url).origin)));
  }
}

test('no text runs as a script or becomes an element, on any screen', async () => {
  let texts = '';
  for await (const url of screens()) {
    const found = await page.evaluate(() => ({
      hacked: Object(window).hacked,
      elements: document.querySelectorAll('.hacked, body script, svg[onload]').length,
      handlers: [...document.querySelectorAll('*')].filter((element) =>
        [...element.attributes].some(
          ({ name, value }) =>
            /^on|^srcdoc$/i.test(name) ||
            (/^(?:href|src|action|formaction|data)$/i.test(name) && /^\W*javascript:/i.test(value)),
        ),
      ).length,
      text: document.body.innerText,
    }));
    texts += found.text;
    expect({ url, ...found, text: '' }).toEqual({ url, elements: 0, handlers: 0, text: '' });
    expect(wrong).toEqual([]);
  }
  expect(texts).toContain(MARKUP);
});
