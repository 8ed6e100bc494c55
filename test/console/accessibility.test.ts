import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';

/* WCAG 2.2 AA, as far as axe can tell, on each screen in both themes. */

let running: ConsoleInChromium;
let axe: string;
beforeAll(async () => {
  running = await startConsoleInChromium();
  axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
});
afterAll(() => running[Symbol.asyncDispose]());

async function violationsOn(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const { violations } = await Object(window).axe.run();
    return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [
      id,
      ...nodes.map(({ html }) => html.slice(0, 120)),
    ]);
  });
}

test.each(['light', 'dark'] as const)(
  'axe reports nothing on any screen, %s',
  async (colorScheme) => {
    const { console, browser, service } = running;
    await service.applyPromoCode();
    // The policy of the page forbids any other script.
    const context = await browser.newContext({ colorScheme, bypassCSP: true });
    const page = await context.newPage();
    await page.addInitScript({ content: axe });
    await page.goto(console.url);
    const check = async (name: string) => {
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      expect([name, await violationsOn(page)]).toEqual([name, []]);
    };
    const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
    const visit = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
    };

    await check('clients');
    await page.getByLabel('Search clients').fill('nobody');
    await check('no client');
    await page.getByLabel('Search clients').fill('');
    await visit('demo');
    await check('editor');
    for (const field of await page.locator('.field .name').all()) {
      await field.click();
      await check('field');
    }
    await press(/^Two inputs$/);
    await check('a field with errors');
    await press('Undo');
    await press('Continue');
    await check('a phone with problems');
    await press(/^Move down/);
    await press('Publish…');
    await check('publish');
    await page.getByLabel('Why?').fill('A reason');
    await page.getByRole('button', { name: 'Publish' }).last().click();
    await page.getByText(/^Published/).waitFor();
    await check('published');
    await press('Close');
    await visit('History');
    await press('Compare with live');
    await check('history');
    await visit('Codes');
    await press('Search');
    await check('codes');
    await visit('App-Ids');
    await page.getByRole('table').waitFor();
    await check('App-Ids');
    await visit('Problems');
    await press('Look for problems');
    await page.getByRole('heading', { name: 'Checks' }).waitFor();
    await check('problems');
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.getByRole('alert').waitFor();
    await check('a failure');
    await context.close();
  },
);
