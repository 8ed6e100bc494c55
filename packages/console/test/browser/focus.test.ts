import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openPage } from './accessible.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';

/* Where somebody goes on who uses the keyboard, or hears the page. */

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

const { fields } = parse(PIZZA);

/** Opens the list of clients, with one of two App-Ids. */
async function open(clientId: string): Promise<Page> {
  const appIds = new Set(['demo-app-key', 'another-app-key']);
  await running.service.putConfig({ clientId, fields, lastFieldId: 3, appIds });
  return openPage(running);
}

const expectFocus = (page: Page, name: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);

/** A link can have the words of the heading to which it leads. */
const expectHeading = (page: Page, name: string) =>
  expect
    .poll(() => page.evaluate(() => document.querySelector('h1:focus, h2:focus')?.textContent))
    .toBe(name);

/** Presses a control by the keyboard. */
async function enter(page: Page, role: 'link' | 'button', name: string | RegExp): Promise<void> {
  const control = page.getByRole(role, { name, exact: true }).last();
  await control.waitFor();
  await control.focus();
  await page.keyboard.press('Enter');
}

test('each screen that is opened gives the focus to its heading', async () => {
  const page = await open('screens');
  await enter(page, 'link', 'screens');
  await expectHeading(page, 'Configuration of screens');
  for (const [tab, heading] of [
    ['History', 'History of screens'],
    ['Codes', 'Codes of screens'],
    ['Access', 'Access of screens'],
    ['Clients', 'Clients'],
  ] as const) {
    await enter(page, 'link', tab);
    await expectHeading(page, heading);
  }
  await page.goBack();
  await expectHeading(page, 'Access of screens');
  await page.goForward();
  await expectHeading(page, 'Clients');
});

test('a heading has the focus if what had it goes', async () => {
  const page = await open('gone');
  await page.goto(`${new URL(page.url()).origin}/#/clients/gone/history?compare=1..1`);
  await enter(page, 'link', 'Close the comparison');
  await expectFocus(page, 'History of gone');
  await enter(page, 'link', 'Access');
  await expectHeading(page, 'Access of gone');
  await enter(page, 'button', /^Revoke… /);
  await enter(page, 'button', /^Revoke( it, although apps use it)?$/);
  await page.getByText(/^Done\. It takes effect/).waitFor();
  expect(await page.evaluate(() => document.activeElement?.matches('dialog h2'))).toBe(true);
  await page.keyboard.press('Escape');
  await expectFocus(page, 'Access of gone');
});

test('a dialog gives the focus back, whatever closes it, and has it after a publication', async () => {
  const page = await open('dialogs');
  await enter(page, 'link', 'dialogs');
  await expectHeading(page, 'Configuration of dialogs');
  await page.locator('.field .name').first().click();
  await page.getByLabel('Caption', { exact: true }).fill('Best pizza');
  await enter(page, 'button', 'Discard…');
  await enter(page, 'button', 'Discard it');
  await expectFocus(page, 'Discard…');
  await page.getByLabel('Caption', { exact: true }).fill('Best pizza');
  await enter(page, 'button', 'Publish…');
  await page.locator('textarea:focus').waitFor();
  await page.keyboard.type('Why');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/^Published version 2/).waitFor();
  await expectFocus(page, 'Published version 2');
  await enter(page, 'button', 'Close');
  await expectFocus(page, 'Publish…');
});
