import { readFile } from 'node:fs/promises';
import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openPage } from './accessible.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';
import { act, follow } from './screens.ts';

/* Where fields come from, and how an operator finds and orders many of them. */

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

const [DROP, TEXT] = parse(PIZZA).fields;
const WIDTHS = [1280, 390];
const appIds = new Set(['demo-app-key']);

/** Opens a client with some fields in a browser of its own. */
async function open(clientId: string, width: number, fields: readonly object[]): Promise<Page> {
  const lastFieldId = fields.length;
  await running.service.putConfig({ clientId, language: 'en', fields, lastFieldId, appIds });
  const page = await openPage({ ...running, width });
  await page.getByLabel('Search clients').fill(clientId);
  const link = page.getByRole('link', { name: clientId, exact: true });
  await follow(link, `Configuration of ${clientId}`);
  await page.locator('.field').first().waitFor();
  return page;
}

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...TEXT,
    id: `${index + 1}`,
    fieldName: `Field ${index + 1}`,
  }));
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const more = async (page: Page, name: string) => {
  await page.getByText('More', { exact: true }).click();
  await button(page, name).click();
};
const captions = (page: Page) => page.locator('.field .name strong').allTextContents();
const undo = (page: Page) => button(page, 'Undo').click();

test.each(WIDTHS)(
  'at %i pixels, of 64 fields, one is found by its text, and moves to the top in one step that is undone',
  async (width) => {
    const page = await open(`many-${width}`, width, many(64));
    await page.getByLabel('Search fields').fill('FIELD 60');
    await expect.poll(() => captions(page)).toEqual(['Field 60']);
    await act(page, 'Field 60', 'Move to the top');
    await page.getByLabel('Search fields').fill('');
    expect((await captions(page))[0]).toBe('Field 60');
    await undo(page);
    expect((await captions(page)).slice(0, 2)).toEqual(['Field 1', 'Field 2']);
    // With the keyboard, which stays at the field.
    await button(page, /^Field 2 /).focus();
    for (const key of ['Alt+End', 'Alt+ArrowUp', 'Alt+Home', 'Alt+ArrowDown']) {
      await page.keyboard.press(key);
    }
    expect((await captions(page)).slice(0, 3)).toEqual(['Field 1', 'Field 2', 'Field 3']);
    await undo(page);
    expect((await captions(page)).slice(0, 2)).toEqual(['Field 2', 'Field 1']);
    for (let step = 0; step < 3; step++) await undo(page);
    // With the mouse, while another form is open. Fingers scroll.
    expect(await page.locator('.handle').first().isVisible()).toBe(width === 1280);
    if (width !== 1280) return;
    await button(page, /^Field 4 /).click();
    await page.locator('.handle').nth(2).dragTo(page.locator('.field').nth(0));
    expect((await captions(page)).slice(0, 4)).toEqual([
      'Field 3',
      'Field 1',
      'Field 2',
      'Field 4',
    ]);
    expect(await page.getByLabel('Caption', { exact: true }).inputValue()).toBe('Field 4');
  },
);

test('at 390 pixels, the phone over the form shows the field that is edited', async () => {
  const page = await open('slid', 390, many(4));
  await button(page, 'Phone').click();
  await button(page, /^Field 4 /).click();
  const [panel, edited] = ['aside', '.phone .edited'].map((one) => page.locator(one));
  const isInView = async () => {
    const [outer, inner] = [await panel?.boundingBox(), await edited?.boundingBox()];
    if (!outer || !inner) return false;
    return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
  };
  await expect.poll(isInView).toBe(true);
});

test.each(WIDTHS)(
  'at %i pixels, fields are duplicated and copied from another client, with translations and without ids',
  async (width) => {
    const target = `target-${width}`;
    const translations = { de: { fieldName: 'Lieblingspizza' } };
    await running.service.putConfig({
      clientId: 'source',
      fields: [{ ...DROP, translations }, TEXT],
    });
    const page = await open(target, width, many(1));
    await button(page, /^Field 1 /).click();
    await act(page, 'Field 1', 'Duplicate');
    await expect.poll(() => captions(page)).toEqual(['Field 1', 'Field 1']);
    await page.getByLabel('Caption', { exact: true }).fill('Copy');
    await more(page, 'Copy fields of a client…');
    await page.getByLabel('From').selectOption('source');
    await page.getByLabel(DROP.fieldName).check();
    await button(page, 'Copy 1 field').click();
    await page.getByText('Copied 1 field of source.').waitFor();
    await button(page, 'Publish…').click();
    await page.getByLabel('Reason').fill('Copies');
    await button(page, /^Publish$/).click();
    await page.getByText(/^Published version/).waitFor();
    const headers = { 'Accept-Language': 'de' };
    const { body } = await running.service.getConfig({ body: { clientId: target }, headers });
    expect(body.data.fields).toMatchObject([
      { id: '1', fieldName: 'Field 1' },
      { id: '2', fieldName: 'Copy' },
      { id: '3', fieldName: 'Lieblingspizza' },
    ]);
  },
);

test.each(WIDTHS)(
  'at %i pixels, a draft is downloaded as a file, and a file is opened after the checks of a file',
  async (width) => {
    const clientId = `files-${width}`;
    const page = await open(clientId, width, many(2));
    await act(page, 'Field 1', 'Move down');
    const downloading = page.waitForEvent('download');
    await more(page, 'Download the draft');
    const file = await (await downloading).path();
    const text = await readFile(file, 'utf8');
    expect(parse(text)).toMatchObject({
      clientId,
      base: expect.any(String),
      fields: [{}, {}],
    });
    await undo(page);
    const openFile = async (pasted: string) => {
      await more(page, 'Open a file…');
      await page.getByLabel('Or paste its text').fill(pasted);
      await button(page, 'Check and open').click();
    };
    await more(page, 'Open a file…');
    await page.getByLabel('Choose a file').setInputFiles(file);
    await expect.poll(() => captions(page)).toEqual(['Field 2', 'Field 1']);
    await undo(page);
    expect(await captions(page)).toEqual(['Field 1', 'Field 2']);
    await openFile('fields: [');
    await page.getByText('This is no configuration file that can be opened:').waitFor();
    await button(page, 'Close').click();
    await openFile(text.replace(`clientId: ${clientId}`, 'clientId: other'));
    await page.getByText('This is the file of "other".').waitFor();
    await button(page, 'Close').click();
    // As JSON, which need not name the client, with a mistake that only the check of a file finds.
    const { base, fields } = parse(text);
    const [first, second] = fields;
    await openFile(JSON.stringify({ base, fields: [{ ...first, note: 'x' }, second] }));
    await page.getByText(/^1:\d+ error: fields\[0\]\.note/).waitFor();
    await button(page, 'Open as draft').click();
    await page.getByText('Opened the file as a draft.').waitFor();
    await undo(page);
    // Without a base, it can only replace what is live.
    await openFile(JSON.stringify({ fields: [first, { ...second, fieldName: 'Nickname' }] }));
    await button(page, 'Open as a copy').click();
    await page.getByRole('alert').getByText('"Nickname": 3 instead of').waitFor();
    await button(page, 'Open as draft').click();
    await page.getByText('Opened a copy, which replaces what is live').waitFor();
    await button(page, 'Publish…').click();
    await page.getByRole('dialog').getByText('is removed. Customers keep').waitFor();
    await page.keyboard.press('Escape');
    await undo(page);
    // A file from before a change of somebody else is merged, like any draft.
    const changed = many(2).map((field) => ({ ...field, mandatory: !TEXT.mandatory }));
    await running.service.putConfig({ clientId, fields: changed, lastFieldId: 2, appIds });
    await page.reload();
    await openFile(text);
    await page.getByText('Somebody else has published since you began.').waitFor();
    await undo(page);
    // One that was live is no draft.
    await openFile(JSON.stringify({ base, language: 'en', fields: fields.toReversed() }));
    const restore = page.getByText('To have it back, restore version 1 in History.');
    await follow(restore.getByRole('link'), `History of ${clientId}`);
  },
);

test.each(WIDTHS)(
  'at %i pixels, options are sorted and made unique in a bounded box, each undone alone',
  async (width) => {
    const optionsArray = Array.from({ length: 300 }, (_, index) => ({
      value: `v${index}`,
      display: `Branch ${300 - index}`,
    }));
    const page = await open(`options-${width}`, width, [
      { ...DROP, subFieldA: { ...DROP.subFieldA, optionsArray } },
    ]);
    await page.locator('.field .name').first().click();
    const box = page.getByLabel('Options, one per line', { exact: true });
    const lines = async () => (await box.inputValue()).split('\n');
    expect((await box.boundingBox())?.height).toBeLessThan(400);
    // Playwright types each line by itself, which a paste does not.
    await box.evaluate((element: HTMLTextAreaElement) => {
      element.value += '\nbranch  7';
      element.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const first = async () => (await lines()).slice(0, 2);
    await button(page, 'Sort by text').click();
    await expect.poll(first).toEqual(['branch  7', 'Branch 1']);
    await button(page, 'Remove duplicates').click();
    await expect.poll(first).toEqual(['Branch 1', 'Branch 2']);
    expect(await lines()).toHaveLength(300);
    await undo(page);
    await expect.poll(first).toEqual(['branch  7', 'Branch 1']);
    await undo(page);
    await expect.poll(first).toEqual(['Branch 300', 'Branch 299']);
  },
);
