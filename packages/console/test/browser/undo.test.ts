import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openPage } from './accessible.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';
import { act, follow, screenShown } from './screens.ts';

/* An operator takes back what a version changed, and keeps what came after it. */

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

const [DROP, NUMBER] = parse(PIZZA).fields;
const [FAX, MAIL, LETTER] = ['Fax', 'Mail', 'Letter'].map((display) => ({
  value: display.toLowerCase(),
  display,
}));

const APP_ID = 'an-app-id';

/** Stores a version of a client: its options, and the caption of its other field. */
async function put(
  clientId: string,
  optionsArray: unknown[],
  fieldName: string,
  appId = APP_ID,
): Promise<void> {
  const dropdown = { ...DROP, subFieldA: { ...DROP.subFieldA, optionsArray } };
  const fields = [dropdown, { ...NUMBER, fieldName }];
  await running.service.putConfig({ clientId, fields, lastFieldId: 2, appIds: [appId] });
}

/** Opens the history of a client, and a version in it. */
async function openVersion(page: Page, clientId: string, version: number): Promise<void> {
  await follow(page.getByRole('link', { name: 'History' }), `History of ${clientId}`);
  await page
    .locator('.version summary')
    .filter({ hasText: `Version: ${version}` })
    .click();
}

async function openClient(clientId: string): Promise<Page> {
  const page = await openPage(running);
  const link = page.getByRole('link', { name: clientId, exact: true });
  await follow(link, `Configuration of ${clientId}`);
  return page;
}

const undo = (page: Page) => page.getByRole('link', { name: 'Undo only this version' });

test('an option that a colleague deleted three versions ago comes back, and what came after it stays', async () => {
  await put('option', [FAX, MAIL], 'Number');
  await put('option', [MAIL], 'Number');
  await put('option', [MAIL, LETTER], 'Number');
  await put('option', [MAIL, LETTER], 'Member');
  const page = await openClient('option');
  await openVersion(page, 'option', 2);
  await undo(page).click();
  await screenShown(page, 'Configuration of option');
  await page.getByText('Without version 2, with all that came after it.').waitFor();
  await page.locator('.field .name').first().click();
  await page.getByText('Back: customers who chose it before have it again.').waitFor();
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByText('option "Fax" is added').waitFor();
  await page.getByLabel('Reason').fill('In season');
  await page.getByRole('button', { name: 'Publish' }).last().click();
  await page.getByText(/^Published version 5/).waitFor();
  const call = { body: { clientId: 'option' }, headers: { 'App-Id': APP_ID } };
  expect((await running.service.getConfig(call)).body.data).toMatchObject({
    fields: [{ subFieldA: { optionsArray: [FAX, MAIL, LETTER] } }, { fieldName: 'Member' }],
  });
  // Nothing is left to undo.
  await page.getByRole('button', { name: 'Close' }).click();
  await openVersion(page, 'option', 2);
  await undo(page).click();
  await page.getByText('Nothing of version 2 is left').waitFor();
});

test('what later versions changed is chosen, and a draft with work is replaced after a question', async () => {
  for (const name of ['Number', 'Code', 'Card']) await put('chosen', [FAX], name);
  const page = await openClient('chosen');
  await act(page, 'Favourite pizza', 'Remove');
  await openVersion(page, 'chosen', 2);
  await undo(page).click();
  const dialog = page.getByRole('dialog', { name: 'Undo only version 2' });
  await dialog.getByText('You have a draft of this client, which this replaces.').waitFor();
  const replace = dialog.getByRole('button', { name: 'Replace my draft' });
  await dialog.getByLabel('Now: Card').check();
  expect(await replace.isDisabled()).toBe(true);
  await dialog.getByLabel('Before version 2: Number').check();
  await replace.click();
  await page.getByText('Without version 2, with all').waitFor();
  const names = page.locator('.field .name strong');
  expect(await names.allTextContents()).toEqual(['Favourite pizza', 'Number']);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(await names.allTextContents()).toEqual(['Card']);
});

test('each row is below its day, and undoes its version, the newest one as before, or says why not', async () => {
  await put('rows', [FAX], 'Number');
  await put('rows', [FAX, MAIL], 'Number');
  await put('rows', [FAX, MAIL], 'Number', 'another-app-id');
  const page = await openClient('rows');
  await openVersion(page, 'rows', 1);
  await page.getByText('because the history has no version before it').waitFor();
  await page.getByRole('heading', { name: /^\w+day, / }).waitFor();
  await page.locator('.version summary').filter({ hasText: 'Version: 3' }).click();
  await page.getByText('because it changed no fields').waitFor();
  await page.locator('.version summary').filter({ hasText: 'Version: 2' }).click();
  await page.getByRole('button', { name: 'Undo only this version…' }).click();
  await page.getByRole('dialog', { name: 'Restore version 1 of rows' }).waitFor();
});
