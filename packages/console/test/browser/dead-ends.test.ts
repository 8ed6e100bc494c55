import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { FINDING_CODES } from 'customer-data-api/configuration';
import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkDraft } from '../../page/src/draft/draft.ts';
import { openPage } from './accessible.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';
import { follow } from './screens.ts';

/* From each error of a draft, a way leads on. */

const FIXTURES = fileURLToPath(new URL('../../../editor/test/fixtures/check/', import.meta.url));

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

const [DROP] = parse(PIZZA).fields;

/** The codes that no error of a draft has: of warnings, of the rest of a client, and of a file. */
const NO_ERRORS = [
  'acceptsAllAppClients',
  'deletedClient',
  'duplicateOption',
  'editedRule',
  'foreignAppClients',
  'invalidRollout',
  'lastFieldIdTooHigh',
  'lastFieldIdTooLow',
  'lockedOut',
  'notTranslated',
  'separatorInOption',
  'shownNowhere',
  'strayCharacter',
  'syntax',
  'tooLargeToRestore',
  'undecodable',
  'unknownUi',
];

interface Content {
  readonly fields: readonly unknown[];
  readonly language?: unknown;
}

/** The contents of the files with mistakes, and of some that no file can have. */
async function contents(): Promise<Content[]> {
  const names = await readdir(FIXTURES);
  const texts = await Promise.all(names.map((name) => readFile(`${FIXTURES}${name}`, 'utf8')));
  const files = texts.flatMap((text) => text.split(/^%%% .*\n/m));
  const found = files.flatMap((text): Content[] => {
    try {
      const { fields, language } = parse(text, { logLevel: 'silent' });
      return Array.isArray(fields) ? [{ fields, language }] : [];
    } catch {
      return [];
    }
  });
  const long = { ...DROP, fieldName: 'x'.repeat(450_000) };
  return [...found, { fields: [{ ...DROP, fieldName: '\ud83c' }] }, { fields: [long] }];
}

/** Opens a client, and edits it. */
async function edit(clientId: string, fields: readonly unknown[] = [DROP]): Promise<Page> {
  const appIds = new Set(['demo-app-key']);
  await running.service.putConfig({ clientId, language: 'en', fields, lastFieldId: 1, appIds });
  const page = await openPage(running);
  const link = page.getByRole('link', { name: clientId, exact: true });
  await follow(link, `Configuration of ${clientId}`);
  return page;
}

/** Follows each error of a draft, as another window of the console stores it. */
async function followErrors(content: Content) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
  const [key = ''] = Object.keys(localStorage).filter((name) => name.startsWith('draft '));
  const show = async () => {
    const newValue = JSON.stringify({ ...JSON.parse(localStorage[key]), ...content });
    dispatchEvent(new StorageEvent('storage', { key, newValue }));
    await pause();
  };
  await show();
  const errors = async () => {
    const list = document.querySelector<HTMLDetailsElement>('.found');
    if (list) list.open = true;
    await pause();
    return [...document.querySelectorAll('.found .error')].filter((one) => one.matches('li'));
  };
  const ends: { error: string; control: string; isSolved?: boolean }[] = [];
  for (const [at, { textContent: error = '' }] of (await errors()).entries()) {
    const lead = (await errors())[at]?.querySelector('button');
    lead?.click();
    await pause();
    const control = document.activeElement as HTMLElement;
    const isInForm = control.closest('.form, .languages') && control.checkVisibility();
    const isControl = isInForm && control.matches('input, select, textarea, button');
    const end = { error, control: !lead ? 'text' : isControl ? control.localName : 'none' };
    if (end.control !== 'button') {
      ends.push(end);
      continue;
    }
    control.click();
    await pause();
    const isSolved = (await errors()).every(({ textContent }) => textContent !== error);
    ends.push({ ...end, isSolved });
    await show();
  }
  return ends;
}

test('each error of a draft leads to a control, or says what to do', async () => {
  const page = await edit('mistakes');
  await page.locator('.field .name').first().click();
  await page.getByLabel('Caption', { exact: true }).fill('Edited');
  const codes = new Set<string>();
  const dead: object[] = [];
  for (const { fields, language } of await contents()) {
    const { findings } = checkDraft(
      { from: { base: '', fields }, fields, language },
      { clientId: 'mistakes', highestId: 1 },
    );
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (errors.length === 0) continue;
    for (const { code } of errors) codes.add(code);
    const ends = await page.evaluate(followErrors, { fields, language });
    expect(ends).toHaveLength(Math.min(errors.length, 50));
    const isDead = ({ error, control, isSolved = true }: (typeof ends)[number]) =>
      control === 'text' ? !/Remove options/.test(error) : control === 'none' || !isSolved;
    dead.push(...ends.filter(isDead));
  }
  expect(dead).toEqual([]);
  expect(FINDING_CODES.filter((code) => !codes.has(code))).toEqual(NO_ERRORS);
});

test.each([1280, 390])(
  'at %i pixels, what is wrong with a long file, and the buttons, are in view',
  async (width) => {
    const page = await edit(`long-file-${width}`);
    await page.setViewportSize({ width, height: 800 });
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Open a file…' }).click();
    await page.getByLabel('Or paste its text').fill('- no field\n'.repeat(400));
    const check = page.getByRole('button', { name: 'Check and open' });
    await check.click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    for (const part of [check, alert]) {
      const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
      expect(y).toBeGreaterThan(0);
      expect(y + height).toBeLessThan(800);
    }
  },
);

test('a mandatory field without a caption says so, and a language tab whose fields they are', async () => {
  const page = await edit('no-caption');
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await page.getByLabel('Mandatory').check();
  const row = page.locator('.field').last();
  await row.getByText('(without a caption)', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page
    .getByRole('dialog')
    .getByText(/without a caption is added .* mandatory/)
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Languages: English').click();
  await page.getByLabel('Translate into').fill('German');
  const hint = page.getByText('Fields are for all languages.');
  expect(await hint.count()).toBe(0);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await hint.waitFor();
});
