import { createServer } from 'node:http';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { deploymentOf } from 'customer-data-api-deployment';
import { close, listen } from 'customer-data-api-deployment/local';
import { expect, test } from 'vitest';
import { startConsole } from '../../server/server.ts';
import { launchBrowser } from './browser.ts';
import { startConsoleInChromium } from './console-in-chromium.ts';

test('a page of another port can neither call nor frame the console, nor load its script, nor keep a hold of its window', async () => {
  await using running = await startConsoleInChromium();
  const { url } = running.console;
  const pages = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><body>');
  });
  const page = await running.browser.newPage();
  await page.goto(await listen(pages, 0, { pages: 'all' }));
  const statuses: number[] = [];
  page.on('response', (response) => void statuses.push(response.status()));

  const secret = new URL(url).hash.slice(1);
  for (const path of ['/api/clients', '/api/clients/demo', '/api/clients/demo/publish']) {
    const outcomes = await page.evaluate(
      async ({ target, headers }) => {
        const inits = ['GET', 'POST'].flatMap((method) => [
          { method },
          { method, headers },
          { method, mode: 'no-cors' as const },
        ]);
        const calls = inits.map((init) => fetch(target, init).then(({ type }) => type));
        return (await Promise.allSettled(calls)).map((one) => Object(one).value ?? 'refused');
      },
      { target: new URL(path, url).href, headers: { 'Console-Secret': secret } },
    );
    expect(outcomes).toEqual(outcomes.map(() => 'refused'));
  }
  expect(statuses.filter((status) => status < 400)).toEqual([]);

  const script = await page.evaluate(async (target) => {
    const load = (name: 'iframe' | 'script', src: string) =>
      new Promise<string>((resolve) => {
        const element = Object.assign(document.createElement(name), { src });
        element.addEventListener('load', () => resolve('loaded'));
        element.addEventListener('error', () => resolve('refused'));
        document.body.append(element);
      });
    await load('iframe', target);
    return load('script', new URL('/main.js', target).href);
  }, url);
  expect(script).toBe('refused');
  const [, frame] = page.frames();
  expect(frame?.url()).toBe('chrome-error://chromewebdata/');
  const opening = page.waitForEvent('popup');
  await page.evaluate((target) => void Object.assign(window, { opened: open(target) }), url);
  await (await opening).waitForLoadState();
  expect(await page.evaluate(() => Object(window).opened.closed)).toBe(true);
  await close(pages);
});

test('a service worker that another program left on the port gives way to the console', async () => {
  await using browser = await launchBrowser();
  const page = await browser.newPage();
  const worker = `
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));
    addEventListener('fetch', (event) => event.respondWith(new Response('Not the console.')));`;
  const other = createServer(({ url }, response) => {
    const type = url === '/worker.js' ? 'text/javascript' : 'text/html';
    response.setHeader('Content-Type', type).end(type === 'text/html' ? '<!doctype html>' : worker);
  });
  const address = await listen(other);
  await page.goto(address);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js');
    await navigator.serviceWorker.ready;
  });
  await page.goto('about:blank');
  await close(other);

  const deployment = deploymentOf({ stackName: 'CustomerDataApi-dev', outputs: OUTPUTS });
  const port = Number(new URL(address).port);
  await using console = await startConsole(deployment, { port, log: () => {} });
  await page.goto(console.url);
  const secret = new URL(console.url).hash.slice(1);
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('secret'))).toBe(secret);
});
