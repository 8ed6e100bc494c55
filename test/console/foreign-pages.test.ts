import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { close, listen } from '../../local/listen.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';

/* What a page of another port of this machine can do to the console: nothing. */

let running: ConsoleInChromium;
let pages: Server;
let page: Page;
beforeAll(async () => {
  running = await startConsoleInChromium();
  pages = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><body>');
  });
  page = await running.browser.newPage();
  await page.goto(await listen(pages, 0, { pages: 'all' }));
});
afterAll(async () => {
  await close(pages);
  await running[Symbol.asyncDispose]();
});

test('it can neither frame the console, nor load its script, nor keep a hold of its window', async () => {
  const script = await page.evaluate(async (url) => {
    const load = (name: 'iframe' | 'script', src: string) =>
      new Promise<string>((resolve) => {
        const element = Object.assign(document.createElement(name), { src });
        element.addEventListener('load', () => resolve('loaded'));
        element.addEventListener('error', () => resolve('refused'));
        document.body.append(element);
      });
    await load('iframe', url);
    return load('script', new URL('/main.js', url).href);
  }, running.console.url);
  expect(script).toBe('refused');
  const frames = page.frames().filter((frame) => frame !== page.mainFrame());
  expect(frames.map((frame) => frame.url())).toEqual(['chrome-error://chromewebdata/']);

  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((url) => void Object.assign(window, { opened: open(url) }), running.console.url),
  ]);
  await opened.waitForLoadState();
  expect(await page.evaluate(() => Object(window).opened.closed)).toBe(true);
  expect(await opened.evaluate(() => window.opener)).toBe(null);
});
