import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';
import { follow } from './screens.ts';

/* What ten keys in a caption cost beside few and many other fields. */

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

const [, TEXT] = parse(PIZZA).fields;
const COUNTS = [10, 500] as const;

/** Opens a client with so many fields, and gives the caption of the first the focus. */
async function open(count: number): Promise<Page> {
  const clientId = `fields-${count}`;
  const fields = Array.from({ length: count }, (_, index) => ({ ...TEXT, id: `${index + 1}` }));
  const appIds = new Set(['demo-app-key']);
  await running.service.putConfig({ clientId, language: 'en', fields, lastFieldId: count, appIds });
  const page = await running.browser.newPage();
  await page.goto(running.console.url);
  const link = page.getByRole('link', { name: clientId, exact: true });
  await follow(link, `Configuration of ${clientId}`);
  await page.locator('.field .name').first().click();
  await page.getByLabel('Caption', { exact: true }).focus();
  await page.keyboard.type('The first edit');
  return page;
}

/** Types ten letters, and waits for all that follows. */
async function type(page: Page): Promise<void> {
  await page.keyboard.type('0123456789', { delay: 60 });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

/** Counts the calls of functions of the page while ten letters are typed. */
async function callsOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await type(page);
  const { result } = await session.send('Profiler.takePreciseCoverage');
  const functions = result.flatMap(({ functions }) => functions);
  return functions.reduce((calls, { ranges: [whole] }) => calls + (whole?.count ?? 0), 0);
}

test('a key costs fields that are not edited neither a check nor a drawing', async () => {
  const calls: number[] = [];
  for (const count of COUNTS) calls.push(await callsOf(await open(count)));
  const [few = 0, many = 0] = calls;
  const perField = (many - few) / (COUNTS[1] - COUNTS[0]) / 10;
  // A check takes many hundreds, and so does the field on the phone.
  expect(perField).toBeLessThan(300);
});

/** The time of the main thread of the page, in ms, by the trace of the browser. */
async function timeOf(page: Page): Promise<number> {
  const { browser } = running;
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await type(page);
  const { traceEvents } = JSON.parse(`${await browser.stopTracing()}`) as { traceEvents: Traced[] };
  const isMain = ({ name, args }: Traced) =>
    name === 'thread_name' && args.name === 'CrRendererMain';
  const times = traceEvents
    .filter(isMain)
    .map((main) =>
      traceEvents
        .filter(
          ({ pid, tid, name }) => pid === main.pid && tid === main.tid && /RunTask$/.test(name),
        )
        .reduce((total, { tdur = 0 }) => total + tdur / 1000, 0),
    );
  return Math.max(...times);
}

interface Traced {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** The time of a processor, in µs. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

test.runIf(process.env.TRACE)('the figures of the README', async () => {
  for (const count of COUNTS) {
    const page = await open(count);
    const times: number[] = [];
    for (let run = 0; run < 5; run++) times.push(await timeOf(page));
    const [, , median = 0] = times.sort((one, other) => one - other);
    process.stdout.write(`Ten keys with ${count} fields: ${Math.round(median)} ms\n`);
  }
});
