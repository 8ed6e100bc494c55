import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Service } from 'customer-data-api/testing/service';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { startConsoleInChromium } from './console-in-chromium.ts';

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
/** Buttons behind which there is more of a screen. */
const MORE = [/ error|^My field|Dropdown|Combination|Text$/, /^Search$/, /^Compare/];

/** Writes the texts wherever a text can be: into clients, fields, versions and promo codes. */
async function store(service: Service): Promise<void> {
  const [drop, number, combo] = parse(PIZZA).fields;
  const fields = TEXTS.flatMap((text, index) => {
    const translation = { fieldName: text, addButtonText: text };
    const common = { ...translation, translations: { de: translation, [text]: translation } };
    const options = { placeHolderText: text, optionsArray: [{ value: text, display: text }] };
    return [
      { ...drop, ...common, id: `${index}a`, subFieldA: { ...drop.subFieldA, ...options } },
      { ...number, ...common, id: `${index}b`, subFieldA: { ...number.subFieldA, ...options } },
      { ...combo, ...common, id: `${index}c`, [text]: text },
    ];
  });
  const lastChange = { id: 'id', by: MARKUP, message: MARKUP, at: new Date().toISOString() };
  const appIds = new Set([MARKUP]);
  await service.putConfig({ clientId: 'hostile', appIds, lastFieldId: 99, lastChange, fields });
  await service.putConfig({
    clientId: MARKUP,
    appIds,
    appIdLabels: { '0': MARKUP },
    lastChange,
    fields,
    [MARKUP]: MARKUP,
    lastFieldId: MARKUP,
  });
  for (const [index, user] of TEXTS.slice(0, 5).entries()) {
    await service.applyPromoCode({
      token: { user },
      headers: { 'Device-Id': '<b class=hacked>' },
      body: {
        clientId: 'demo',
        promoCode: `<b>${index}`,
        userId: user,
        eventType: '<b class=hacked>',
        source: '<i class=hacked>',
      },
    });
  }
}

/** Visits the screens that links lead to, from the first one, and shows all of each. */
async function* screens(page: Page, first: string): AsyncGenerator<string> {
  const urls = new Set([first]);
  for (const url of urls) {
    await page.goto(url);
    await settled(page);
    await page.getByText('Checks of those on call').evaluateAll(([one]) => Object(one).click?.());
    await settled(page);
    yield url;
    for (const name of MORE) {
      for (const button of (await page.getByRole('button', { name }).all()).slice(0, 12)) {
        await button.click();
        await settled(page);
        yield url;
        await page.keyboard.press('Escape');
      }
    }
    const links = page.getByRole('link');
    for (const target of await links.evaluateAll((all) => all.map((one) => Object(one).href))) {
      if (target.startsWith(new URL(first).origin) && urls.size < MAX_SCREENS) urls.add(target);
    }
  }
}

const LOADING = /^(Loading|Checking|Reading|counting)\b.*…/;

/** Waits until a screen has loaded all of itself. */
async function settled(page: Page): Promise<void> {
  // What an address or a press changes is shown, or begins to load, before the next frame.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
  );
  await expect.poll(() => page.getByText(LOADING).count()).toBe(0);
}

test('no text runs as a script or becomes an element, on any screen', async () => {
  await using running = await startConsoleInChromium();
  const { browser, console, service } = running;
  await store(service);
  const page = await browser.newPage();
  const wrong: string[] = [];
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => wrong.push(dialog.message())));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML/.test(message.text())) wrong.push(message.text());
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOwn = origin === new URL(console.url).origin || ['data:', 'blob:'].includes(protocol);
    if (!isOwn) wrong.push(request.url());
  });
  let texts = '';
  for await (const url of screens(page, console.url)) {
    const { text, ...found } = await page.evaluate(() => ({
      hacked: Object(window).hacked,
      elements: document.querySelectorAll(
        '.hacked, body script, [onload], [onerror], [href^="javascript:"], [src^="javascript:"]',
      ).length,
      text: document.body.innerText,
    }));
    texts += text;
    expect({ url, ...found, wrong }).toEqual({ url, elements: 0, wrong: [] });
  }
  expect(texts).toContain(MARKUP);
});
