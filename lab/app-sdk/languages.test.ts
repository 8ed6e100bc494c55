import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startAnswersApi } from 'customer-data-api/testing/answers-api';
import { startService } from 'customer-data-api/testing/service';
import { templateFor } from 'customer-data-api/testing/stack';
import { translatedDemo } from 'customer-data-api/testing/translated-demo';
import { findBrowser, launchBrowser } from 'customer-data-api-console/testing/browser';
import { close, listen, signIdToken } from 'customer-data-api-deployment/local';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterEach, expect, test, vi } from 'vitest';

/* Apps of one client, with the web example. PICTURES=1 draws what the documents show of it. */

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const WEB = '../../examples/apps/web';

/** Serves the web example, and the service with the client `demo` in several languages. */
async function startApps() {
  await using started = new AsyncDisposableStack();
  const { outputFiles } = await build({
    entryPoints: [here(`${WEB}/page.ts`)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    alias: {
      'customer-data-api-sdk': here('../../packages/sdk/src/index.ts'),
      'customer-data-api-sdk/form': here('../../packages/sdk/src/form.ts'),
    },
  });
  const files: Record<string, readonly [type: string, text: string]> = {
    '/page.html': ['text/html', await readFile(here(`${WEB}/page.html`), 'utf8')],
    '/page.js': ['text/javascript', outputFiles[0]?.text ?? ''],
  };
  const pages = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', ''];
    response.setHeader('Content-Type', `${type}; charset=utf-8`).end(text);
  });
  const origin = await listen(pages, 0, { pages: 'all' });
  started.defer(() => close(pages));
  const template = templateFor({ corsOrigins: [origin] }).toJSON();
  const service = started.use(await startService({ template }));
  await service.putConfig(translatedDemo());
  // An app waits 2.5 seconds for the configuration: not for the start of a function.
  await service.warmUp();
  const browser = await launchBrowser();
  started.defer(() => browser.close());
  const idToken = await signIdToken(service.issuer);
  const answersApi = async () =>
    running.use(await startAnswersApi(service, { appId: 'demo-app-key' })).url;

  /** Opens an app on a phone of its own. */
  async function open(locale: string, language?: string, more: object = {}): Promise<Page> {
    const viewport = { width: 400, height: 500 };
    const page = await (await browser.newContext({ locale, viewport })).newPage();
    const hash = new URLSearchParams({ baseUrl: service.outputs.ApiUrl, idToken, ...more });
    if (language) hash.set('language', language);
    await page.goto(`${origin}/page.html#${hash}`);
    await page.locator('customer-data-field').first().waitFor();
    return page;
  }
  const running = started.move();
  return { open, answersApi, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Fills in the registration, as the customer sees it. */
async function fill(page: Page, plate = 'M-AB 123'): Promise<void> {
  const fields = page.locator('customer-data-field');
  await fields.nth(0).locator('input').fill('Café Milán');
  await fields.nth(1).locator('select').selectOption('phone');
  await fields.nth(2).locator('select').selectOption({ index: 2 });
  await fields.nth(2).locator('input').fill(plate);
}

async function register(page: Page): Promise<unknown> {
  await page.locator('form').evaluate((form) => form.removeAttribute('data-answers'));
  await page.locator('[type=submit]').click();
  return JSON.parse((await page.locator('form').getAttribute('data-answers')) ?? 'null');
}

const captions = (page: Page) =>
  page.locator('legend').evaluateAll((all) => all.map(({ firstChild }) => firstChild?.textContent));

async function draw(page: Page, picture: string): Promise<void> {
  if (process.env.PICTURES === undefined) return;
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.screenshot({ path: here(`../../docs/${picture}.png`), fullPage: true });
}

test.skipIf(!(await findBrowser()))(
  'apps in several languages register with one client',
  async () => {
    await using apps = await startApps();
    // One customer chose German in the app, the other has a French phone.
    const german = await apps.open('en-US', 'de');
    const french = await apps.open('fr-CA');
    for (const page of [german, french]) await fill(page);
    expect(await captions(german)).toEqual(['Firma', 'Kontakt am liebsten', 'Auto']);
    expect(await captions(french)).toEqual(['Entreprise', 'Contact préféré', 'Voiture']);
    await draw(german, 'form-de');
    await draw(french, 'form-fr');
    const answers = { 1: [['Café Milán']], 2: [['phone']], 3: [['toyota', 'M-AB 123']] };
    expect([await register(german), await register(french)]).toEqual([answers, answers]);
    const version = await german.evaluate(() => localStorage.getItem('configVersion'));
    expect(version).toMatch(/^[\da-f]+$/);

    // A customer who changes the language keeps the answers. What is not translated stays as it is.
    const choose = async (language: string, title: string) => {
      await german.locator('body > select').selectOption(language);
      await german.getByRole('heading', { name: title }).waitFor();
    };
    await choose('ar', 'التسجيل');
    const shown = german.locator('html, customer-data-field, fieldset input');
    expect(
      await shown.evaluateAll((all) => all.map((one) => getComputedStyle(one).direction)),
    ).toEqual(['rtl', 'ltr', 'ltr', 'rtl', 'rtl', 'rtl']);
    expect(await register(german)).toEqual(answers);

    // Without a connection, there is the stored copy, or else that of another language.
    const inArabic = await captions(german);
    await german.context().setOffline(true);
    await choose('fr', 'Inscription');
    expect(await captions(german)).toEqual(inArabic);
    await choose('de', 'Registrierung');
    expect(await captions(german)).toEqual(['Firma', 'Kontakt am liebsten', 'Auto']);
    expect(await register(german)).toEqual(answers);

    const english = await apps.open('en-GB');
    await fill(english, 'M-AB 123456');
    await english.locator('customer-data-field').nth(1).locator('select').selectOption('');
    expect(await register(english)).toBeNull();
    await draw(english, 'form');
  },
);

afterEach(() => vi.unstubAllEnvs());

test.skipIf(!(await findBrowser()))('two phones share the answers that an API stores', async () => {
  await using apps = await startApps();
  const answersUrl = await apps.answersApi();
  const first = await apps.open('en-GB', undefined, { answersUrl });
  await fill(first);
  await first.locator('[type=submit]').click();
  await first.locator('form[data-answers]').waitFor();

  const second = await apps.open('de-DE', undefined, { answersUrl, ui: 'profile' });
  const inputs = second.locator('customer-data-field input');
  expect(await inputs.first().inputValue()).toBe('Café Milán');
  // A form that the phone had stored, of a version that the API never saw.
  await second.route(`${answersUrl}*`, (route) =>
    route.continue({
      postData:
        route
          .request()
          .postData()
          ?.replace(/[0-9a-f]{64}/, 'f'.repeat(64)) ?? '',
    }),
  );
  await inputs.first().fill('Zoo');
  await second.locator('[type=submit]').click();
  await second.getByText('Das wurde nicht gespeichert').waitFor();
  expect(await inputs.first().inputValue()).toBe('Zoo');
  await second.unroute(`${answersUrl}*`);
  await second.locator('[type=submit]').click();
  await second.locator('form[data-answers*="Zoo"]').waitFor();
});
