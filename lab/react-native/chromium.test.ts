import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { newFolder } from 'customer-data-api/testing/new-folder';
import { type Service, startService } from 'customer-data-api/testing/service';
import { translatedDemo } from 'customer-data-api/testing/translated-demo';
import { findBrowser, launchBrowser } from 'customer-data-api-console/testing/browser';
import { close, listen, signIdToken } from 'customer-data-api-deployment/local';
import { build } from 'esbuild';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FormField, fieldsFor, getConfig } from '../../packages/sdk/src/index.ts';
import { buildEntry, readmeApp } from './entry.ts';
import type { PageInput } from './page-input.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PHONE = { width: 375, height: 640 };

describe.skipIf(!(await findBrowser()))('the form of React Native, in Chromium,', () => {
  let service: Service;
  let pages: Server;
  let browser: Browser;
  let baseURL: string;
  beforeAll(async () => {
    const script = await buildPage();
    const axe = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
    const html = `<!doctype html><html lang="en"><title>App</title>
      <meta name="viewport" content="width=device-width">
      <style>
        body { margin: 0; background: white }
        @media (prefers-color-scheme: dark) { body { background: #1c1c1e } }
      </style>
      <main></main><script src="page.js"></script>`;
    pages = createServer(({ url }, response) => {
      const [type, text] = url === '/page.js' ? ['text/javascript', script] : ['text/html', html];
      response.setHeader('Content-Type', `${type}; charset=utf-8`).end(text);
    });
    baseURL = await listen(pages, 0, { pages: 'all' });
    service = await startService();
    await service.putConfig(translatedDemo());
    browser = await launchBrowser();
    open = async (options) => {
      const context = await browser.newContext({ baseURL, viewport: PHONE, ...options });
      await context.addInitScript({ path: axe });
      const page = await context.newPage();
      page.on('pageerror', (error) => {
        throw error;
      });
      await page.goto('/');
      return page;
    };
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([service.stop(), close(pages)]);
  });

  let open: (options?: BrowserContextOptions) => Promise<Page>;

  /** The fields of the registration, as the service sends them in a language. */
  async function fieldsIn(language: string): Promise<FormField[]> {
    const session = {
      baseUrl: service.outputs.ApiUrl,
      appId: 'demo-app-key',
      deviceId: null,
      idToken: () => signIdToken(service.issuer),
      language,
    };
    const result = await getConfig(session, { clientId: 'demo' });
    if (result.outcome !== 'success') throw new Error(result.outcome);
    return fieldsFor(result.data, 'register');
  }

  test('the app of the README fills in the form with the keyboard alone', async () => {
    const page = await open();
    await page.evaluate((fields) => functions.showReadme(fields), await fieldsIn('en'));
    const company = page.getByRole('textbox', { name: 'Company: Where you work' });
    const contact = page.getByRole('combobox', { name: 'Preferred contact: Choose one' });
    expect(await company.inputValue()).toBe('Café');
    const submit = page.getByRole('button', { name: 'Continue' });
    await submit.press('Enter');
    await expect.poll(() => focused(page)).toBe('Preferred contact: Choose one');
    expect(await page.getByRole('status').textContent()).toBe('');

    const list = page.getByRole('dialog');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Close');
    await page.keyboard.press('Escape');
    await expect.poll(() => list.count()).toBe(0);
    await contact.click();
    await list.waitFor();
    // Beside the list.
    await page.mouse.click(PHONE.width / 2, 10);
    await expect.poll(() => list.count()).toBe(0);
    await contact.press('Enter');
    await page.getByRole('radio', { name: 'By phone' }).press('Enter');
    await expect.poll(() => contact.textContent()).toContain('By phone');
    await expect.poll(() => focused(page)).toBe('Preferred contact: Choose one');
    const plate = page.getByRole('textbox', { name: 'Car: Plate' });
    await plate.focus();
    await page.keyboard.type('M-AB 1234567');
    const problem = page.getByText('Please enter at most 10 characters, not 12.');
    // It is under its input.
    const [above, below] = [await plate.boundingBox(), await problem.boundingBox()];
    expect(below?.y).toBeGreaterThanOrEqual((above?.y ?? 0) + (above?.height ?? 0));
    await submit.press('Enter');
    await expect.poll(() => focused(page)).toBe('Car: Plate');
    for (let at = 0; at < 2; at++) await page.keyboard.press('Backspace');
    await expect.poll(() => problem.count()).toBe(0);
    await submit.press('Enter');
    const submitted = async () =>
      JSON.parse((await page.getByRole('status').textContent()) || '{}');
    await expect.poll(submitted).toEqual({
      1: [['Café']],
      2: [['phone']],
      3: [['', 'M-AB 12345']],
    });
  });

  test('check scrolls to the first problem, which is out of sight', async () => {
    const page = await open();
    const [company, contact] = await fieldsIn('en');
    const many = Array.from({ length: 8 }, (_, at) => ({ ...company, id: `company-${at}` }));
    await page.evaluate((fields) => functions.showReadme(fields), [
      contact,
      ...many,
    ] as FormField[]);
    const top = page.getByRole('combobox').first();
    await page.getByRole('button', { name: 'Continue' }).scrollIntoViewIfNeeded();
    await expect.poll(async () => (await top.boundingBox())?.y).toBeLessThan(0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(async () => (await top.boundingBox())?.y).toBeGreaterThan(30);
  });

  test.each(['light', 'dark'] as const)('axe finds no flaw in %s mode', async (colorScheme) => {
    const page = await open({ colorScheme });
    await page.evaluate((shown) => functions.showFields(shown), await filledIn('en'));
    // The page is of the test: it has no heading.
    const rules = { 'page-has-heading-one': { enabled: false } };
    const flaws = () =>
      page.evaluate(
        async (options) => (await Object(window).axe.run(document, options)).violations,
        { rules },
      );
    await page.getByRole('alert').getByText('Please choose one.').waitFor();
    expect(await flaws()).toEqual([]);
    await page.getByRole('combobox').first().click();
    await page.getByRole('dialog').waitFor();
    // The list appears by and by, which changes its contrast.
    await page.getByRole('dialog').evaluate(appeared);
    expect(await flaws()).toEqual([]);
  });

  test('large text is not cut off, and needs no scrolling to the side', async () => {
    const page = await open({ viewport: { width: 320, height: 640 } });
    const shown = { ...(await filledIn('de')), fontSize: 40 };
    await page.evaluate((given) => functions.showFields(given), shown);
    const overflowing = () =>
      page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('main *')]
          .filter(({ scrollWidth, clientWidth, tagName }) => {
            // What is longer than a text input scrolls in it.
            return clientWidth > 0 && tagName !== 'INPUT' && scrollWidth > clientWidth + 1;
          })
          .map(({ outerHTML }) => outerHTML),
      );
    await page.getByRole('alert').first().waitFor({ state: 'attached' });
    expect(await overflowing()).toEqual([]);
    const input = page.getByRole('textbox').first();
    expect((await input.boundingBox())?.height).toBeGreaterThan(48);
  });

  test('in Arabic, the form is drawn from right to left', async () => {
    const page = await open();
    const shown = { ...(await filledIn('ar')), dir: 'rtl' as const };
    await page.evaluate((given) => functions.showFields(given), shown);
    const dropdown = page.getByRole('combobox').first();
    const [text, arrow] = [0, 1].map((at) => dropdown.locator('> *').nth(at));
    const [textBox, arrowBox] = [await text?.boundingBox(), await arrow?.boundingBox()];
    expect(arrowBox?.x).toBeLessThan(textBox?.x ?? 0);
  });

  test.skipIf(process.env.PICTURES === undefined)('draws what the documents show', async () => {
    const complete = { 1: [['Café Milán']], 2: [['phone']], 3: [['toyota', 'M-AB 123']] };
    for (const [picture, language, colorScheme, more] of [
      ['react-native', 'en', 'light', {}],
      ['react-native-dark', 'en', 'dark', {}],
      ['react-native-de', 'de', 'light', { mandatory: 'Pflichtfeld', answers: complete }],
    ] as const) {
      const page = await open({ colorScheme, viewport: { width: 375, height: 100 } });
      const shown = { ...(await filledIn(language)), ...more };
      await page.evaluate((given) => functions.showFields(given), shown);
      await page.getByRole('textbox').nth(1).waitFor();
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.screenshot({ path: here(`../../docs/${picture}.png`), fullPage: true });
    }
  });

  /** The registration, with an answer that is missing and one that is too long. */
  async function filledIn(language: string) {
    const fields = await fieldsIn(language);
    return { fields, answers: { 1: [['Café Milán']], 3: [['toyota', 'M-AB 123456']] } };
  }
});

/** The name of the element that has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

/** Resolves when the animations of an element have ended. */
const appeared = (element: Element) =>
  Promise.all(document.getAnimations().map(({ finished }) => finished)).then(() => element.tagName);

/** Builds the entry as it is packed, and a page with the app of the README. */
async function buildPage(): Promise<string> {
  await using folder = await newFolder();
  await buildEntry(folder.path);
  const { outputFiles } = await build({
    stdin: {
      contents: `${await readmeApp()}
        import { showApp } from './page.tsx';
        export { showFields } from './page.tsx';
        export const showReadme = (fields) => showApp(FieldsForm, fields);`,
      resolveDir: here('.'),
      loader: 'tsx',
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'functions',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    // The entry is in a folder without these packages.
    nodePaths: [here('node_modules')],
    alias: {
      'react-native': 'react-native-web',
      'customer-data-api-sdk': here('../../packages/sdk/src/index.ts'),
      'customer-data-api-sdk/react': `${folder.path}/react.js`,
      'customer-data-api-sdk/react-native': `${folder.path}/react-native/index.js`,
    },
  });
  return outputFiles[0]?.text ?? '';
}

/** The functions in a page. */
declare const functions: {
  readonly showReadme: (fields: FormField[]) => void;
  readonly showFields: (input: PageInput) => void;
};
