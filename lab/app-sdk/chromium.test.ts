import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { PROMO_REQUEST, type Service, startService } from 'customer-data-api/testing/service';
import { templateFor } from 'customer-data-api/testing/stack';
import { findBrowser, launchBrowser } from 'customer-data-api-console/testing/browser';
import { close, listen, signIdToken } from 'customer-data-api-deployment/local';
import { build } from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type * as Functions from './page.ts';

const CODES = 20;

describe.skipIf(!(await findBrowser()))('in Chromium', () => {
  let service: Service;
  let pages: Server;
  let context: BrowserContext;
  let input: Functions.PageInput;
  beforeAll(async () => {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
      bundle: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      globalName: 'functions',
    });
    pages = createServer((_, response) => {
      const html = `<!doctype html><body><script>${outputFiles[0]?.text}</script>`;
      response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html);
    });
    const origin = await listen(pages, 0, { pages: 'all' });
    const template = templateFor({ corsOrigins: [origin] }).toJSON();
    service = await startService({ template });
    context = await (await launchBrowser()).newContext({ baseURL: origin });
    const idToken = await signIdToken(service.issuer);
    const deviceId = '00000000-0000-0000-0000-000000000000';
    const session = { baseUrl: service.outputs.ApiUrl, appId: 'demo-app-key', deviceId, idToken };
    input = { session, request: PROMO_REQUEST };
  });
  afterAll(async () => {
    await context.browser()?.close();
    await Promise.all([service.stop(), close(pages)]);
  });

  async function open(): Promise<Page> {
    const page = await context.newPage();
    await page.goto('/');
    return page;
  }

  test('the app SDK works in a page of another origin', async () => {
    const requestId = expect.stringMatching(/^[\da-f-]{36}$/);
    const applied = { outcome: 'success', requestId, data: { outcome: 'applied' } };
    const page = await open();
    expect(await page.evaluate((given) => functions.callService(given), input)).toMatchObject({
      config: { outcome: 'success', requestId, data: { lastFieldId: 4 } },
      refused: { outcome: 'error', requestId, error: { code: 'Unauthorized' } },
      applied,
      queued: [{ request: { promoCode: 'QUEUED' }, result: applied }],
      corrected: applied,
      aborted: { outcome: 'noAnswer' },
    });
    const events = await service.promoEvents();
    expect(events.map(({ promoCode, kind }) => [promoCode, kind]).sort()).toEqual([
      ['CLOCK', 'applied'],
      ['QUEUED', 'applied'],
      ['WELCOME10', 'applied'],
    ]);
  });

  test.each([
    ['locales', ['de_DE', 'de']],
    ['a locale of POSIX', ['en-US@posix']],
    ['names and weights', ['日本語', 'fr;q=0.5']],
    ['a long list', Array(90).fill('zh-Hant-TW')],
  ])('a page that is traced can call with %s as languages', async (_, languages: string[]) => {
    const page = await open();
    const call = ([given, list]: readonly [Functions.PageInput, string[]]) =>
      functions.callWithLanguages(given, list);
    expect(await page.evaluate(call, [input, languages] as const)).toBe('success');
  });

  test('a sandboxed frame, which may not use Web Locks, adds codes', async () => {
    const page = await open();
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.sandbox.add('allow-scripts');
      frame.src = '/';
      document.body.append(frame);
    });
    const frame = await vi.waitUntil(() => page.frames()[1]);
    await frame.waitForFunction(() => 'functions' in globalThis);
    expect(await frame.evaluate((given) => functions.addInMemory(given), input)).toEqual({
      isDenied: true,
      waiting: 2,
    });
  });

  test('two tabs make one id of the installation at their first start', async () => {
    const tabs = await Promise.all([open(), open()]);
    const starts = await Promise.all(
      tabs.map((tab) => tab.evaluate((given) => functions.startOnce(given), input)),
    );
    const [{ id } = {}] = starts;
    expect(id).toMatch(/^\d{20,}$/);
    expect(starts).toEqual([1, 2].map(() => ({ isLoaded: true, id })));
  });

  test('a database that the page has made gets the store, and keeps its own', async () => {
    const [page, other] = await Promise.all([open(), open()]);
    const opened = await page.evaluateHandle(() => functions.openOwnDatabase('shared'));
    // Nothing closes this connection, so the database cannot be upgraded.
    const blocked = other.evaluate(() => functions.storeIn('shared'));
    await expect(blocked).rejects.toThrow('timed out');
    await opened.evaluate((database) => database.close());
    expect(await other.evaluate(() => functions.storeIn('shared'))).toEqual(['value', 'kept']);
    const all = await Promise.all(
      [page, other].map((tab) => tab.evaluate(() => functions.storeIn('shared'))),
    );
    expect(all).toEqual([
      ['value', 'kept'],
      ['value', 'kept'],
    ]);
  });

  test('two tabs with one queue send each code once, lose none, and both get each result', async () => {
    const sent: string[] = [];
    service.servers.gateway.prependListener('request', ({ method, headers }) => {
      if (method === 'POST') sent.push(String(headers['request-date']));
    });
    const before = await service.promoEvents();
    const ofTabs = [0, 1].map((tab) => Array.from({ length: CODES }, (_, i) => `${tab}-${i}`));
    const codes = ofTabs.flat().sort();
    // Both have joined before one sends.
    const tabs = await Promise.all(
      ofTabs.map(async () =>
        (await open()).evaluateHandle(([given, results]) => functions.joinQueue(given, results), [
          input,
          codes.length,
        ] as const),
      ),
    );
    const reports = tabs.map((tab, index) =>
      tab.evaluate((send, own) => send(own), ofTabs[index] ?? []),
    );
    expect(await Promise.all(reports)).toEqual([codes, codes]);
    expect(sent).toHaveLength(codes.length);
    const events = (await service.promoEvents()).slice(before.length);
    expect(events.map(({ kind }) => kind)).toEqual(codes.map(() => 'applied'));
  });
});

/** The functions in a page. */
declare const functions: typeof Functions;
