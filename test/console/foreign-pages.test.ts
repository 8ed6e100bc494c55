import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { close, listen } from '../../local/listen.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';

/* What a page of another port of this machine can do to the console: nothing. */

let running: ConsoleInChromium;
let pages: Server;
/** The `Referer` of each request to the other port, by path. */
const referrers = new Map<string, (string | undefined)[]>();
let page: Page;
beforeAll(async () => {
  running = await startConsoleInChromium();
  pages = createServer(({ url = '', headers }, response) => {
    referrers.set(url, [...(referrers.get(url) ?? []), headers.referer]);
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><body>');
  });
  page = await running.browser.newPage();
  await page.goto(await listen(pages, 0, { pages: 'all' }));
});
afterAll(async () => {
  await close(pages);
  await running[Symbol.asyncDispose]();
});

/** The statuses of the console's responses while something happens. */
async function statusesDuring(act: () => Promise<unknown>): Promise<number[]> {
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().startsWith(origin())) statuses.push(response.status());
  });
  await act();
  page.removeAllListeners('response');
  return statuses;
}

const origin = () => new URL(running.console.url).origin;
const secret = () => new URL(running.console.url).hash.slice(1);

test.each([
  ['without the secret', false, 'cors'],
  ['with the secret', true, 'cors'],
  ['without reading the response', false, 'no-cors'],
] as const)('it cannot call the API %s', async (_, hasSecret, mode) => {
  const before = await running.service.getConfig();
  const paths = ['/api/clients', '/api/clients/demo', '/api/clients/demo/publish'];
  for (const path of paths) {
    for (const method of ['GET', 'POST'] as const) {
      const headers = hasSecret ? { 'Console-Secret': secret() } : {};
      const call = { url: `${origin()}${path}`, method, headers, mode };
      let outcome = '';
      const statuses = await statusesDuring(async () => {
        outcome = await page.evaluate(async ({ url, ...init }) => {
          try {
            const response = await fetch(url, init);
            return `${response.type} ${response.status}`;
          } catch {
            return 'refused';
          }
        }, call);
      });
      expect(outcome).toMatch(mode === 'cors' ? /^refused$/ : /^refused$|^opaque 0$/);
      expect(statuses.filter((status) => status < 400)).toEqual([]);
    }
  }
  expect((await running.service.getConfig()).body).toEqual(before.body);
});

test('it cannot post a form to the API', async () => {
  const tab = await running.browser.newPage();
  await tab.goto(page.url());
  const [response] = await Promise.all([
    tab.waitForResponse((one) => one.url().startsWith(origin())),
    tab.evaluate((url) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action: url, enctype: 'text/plain' });
      document.body.append(form);
      form.submit();
    }, `${origin()}/api/clients/demo/publish`),
  ]);
  expect(response.status()).toBe(403);
  await tab.close();
});

test('it can neither frame the console, nor load its script, nor keep a hold of its window', async () => {
  const found = await page.evaluate(async (url) => {
    const loaded = (element: HTMLElement) =>
      new Promise<string>((resolve) => {
        element.addEventListener('load', () => resolve('loaded'));
        element.addEventListener('error', () => resolve('refused'));
        document.body.append(element);
      });
    const frame = document.createElement('iframe');
    frame.src = url;
    await loaded(frame);
    const script = document.createElement('script');
    script.src = new URL('/main.js', url).href;
    return { script: await loaded(script) };
  }, running.console.url);
  expect(found.script).toBe('refused');
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  expect(frames.map((frame) => frame.url())).toEqual(['chrome-error://chromewebdata/']);

  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((url) => {
      Object.assign(window, { opened: window.open(url) });
    }, running.console.url),
  ]);
  await opened.waitForLoadState();
  expect(await page.evaluate(() => Object(window).opened.closed)).toBe(true);
  expect(await opened.evaluate(() => window.opener)).toBe(null);
  await opened.close();
});

test('a page that the operator goes to next does not learn the address of the console', async () => {
  const tab = await running.browser.newPage();
  await tab.goto(running.console.url);
  const next = new URL('/next', page.url()).href;
  await Promise.all([
    tab.waitForURL(next),
    tab.evaluate((url) => {
      location.href = url;
    }, next),
  ]);
  expect(referrers.get('/next')).toEqual([undefined]);
  await tab.close();
});
