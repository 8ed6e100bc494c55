import { readFile } from 'node:fs/promises';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { PROMO_REQUEST } from 'customer-data-api/testing/service';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openPage } from './accessible.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';
import { follow } from './screens.ts';

/* What operators paste and press, and what they see then. */

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

const [DROP] = parse(PIZZA).fields;

const OPTIONS = [
  { value: 'fax', display: 'Fax' },
  { value: 'phone', display: 'Telephon' },
  { value: 'mail', display: 'Mail' },
];

/** Stores a client with a dropdown. */
async function put(clientId: string, optionsArray: object[], translations = {}): Promise<void> {
  const fields = [{ ...DROP, subFieldA: { ...DROP.subFieldA, optionsArray }, translations }];
  const appIds = new Set(['demo-app-key']);
  await running.service.putConfig({ clientId, language: 'en', fields, lastFieldId: 1, appIds });
}

/** Opens a client with a dropdown, and the form of that. */
async function openForm(
  clientId: string,
  width = 1280,
  translations = {},
  options = OPTIONS,
): Promise<Page> {
  await put(clientId, options, translations);
  const page = await openPage({ ...running, width });
  const link = page.getByRole('link', { name: clientId, exact: true });
  await follow(link, `Configuration of ${clientId}`);
  await page.locator('.field .name').first().click();
  return page;
}

/** The languages that can be chosen, without what they lack. */
const languages = async (page: Page) => {
  const tabs = await page.getByRole('group', { name: 'Language' }).getByRole('button').all();
  const names = await Promise.all(tabs.map((tab) => tab.textContent()));
  return names.map((name) => name?.replace(/ \d+ missing$/, ''));
};
const expectLanguages = (page: Page, ...names: string[]) =>
  expect.poll(() => languages(page)).toEqual(names);
const box = (page: Page) => page.getByLabel('Options, one per line', { exact: true });
const storedValue = (page: Page, display: string) =>
  page.locator('details').getByLabel(display, { exact: true }).inputValue();

test('a pasted list takes over no value, the form shows which line keeps which, and one can be kept', async () => {
  const page = await openForm('pasted');
  await box(page).fill('E-mail\n\nTelephone\nLetter: by post');
  await page.getByText('Removed: "Fax", "Telephon", "Mail".').waitFor();
  expect([await storedValue(page, 'E-mail'), await storedValue(page, 'Telephone')]).toEqual([
    'e_mail',
    'telephone',
  ]);
  // Lines are counted as in the box.
  await page.getByText(/^Warning: Line 4: has a colon/).waitFor();
  await page.getByRole('button', { name: 'Keep fax, the value of "Fax"' }).click();
  expect(await storedValue(page, 'E-mail')).toBe('fax');
  await page.locator('details').getByLabel('Telephone', { exact: true }).fill('fax');
  // A value is wrong where it is, and not in the line of the box.
  await page
    .locator('details')
    .getByText(/^Warning: Is the same/)
    .waitFor();
});

test('the only line that is edited keeps its value, unless it is another option', async () => {
  const page = await openForm('one-line');
  await box(page).fill('Fax\nTelephone\nMail');
  await page.getByText('Kept: the text was "Telephon".').waitFor();
  expect(await storedValue(page, 'Telephone')).toBe('phone');
  await page.getByRole('button', { name: 'It is another option' }).click();
  expect(await storedValue(page, 'Telephone')).toBe('telephone');
  await page.getByText('Removed: "Telephon".').waitFor();
});

test('a text that was live takes its last value back, and one in several lines is told', async () => {
  await put('text-again', OPTIONS);
  const page = await openForm('text-again', 1280, {}, OPTIONS.toSpliced(1, 1));
  await box(page).fill('Fax\nMail\nTelephon\nMail');
  await page.getByText('In several lines: "Mail".').waitFor();
  await page.getByText('Back: customers who chose it before have it again.').waitFor();
  expect(await storedValue(page, 'Telephon')).toBe('phone');
  await page.getByRole('button', { name: 'Remove duplicates' }).click();
  expect(await box(page).inputValue()).toBe('Fax\nMail\nTelephon');
});

test('an option that is removed and one that a colleague added meanwhile do not clash', async () => {
  const page = await openForm('one-list');
  await box(page).fill('Telephon\nMail');
  await put('one-list', [...OPTIONS, { value: 'letter', display: 'Letter' }]);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.getByRole('button', { name: 'Merge…' }).click();
  await page.getByText('Both changes fit together.').waitFor();
  await page.getByRole('button', { name: 'Merge both changes' }).click();
  await page.getByLabel('Reason').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  expect(await box(page).inputValue()).toBe('Telephon\nMail\nLetter');
});

test('one language at a time is beside its texts with its problems, and one button leads to the missing ones', async () => {
  const page = await openForm('translated', 1280, {
    'de-de': { fieldName: 7, subFieldA: { options: { mail: 'Post', gone: 'Weg' } } },
    fr: { fieldName: 'Favourite pizza' },
  });
  const [german, french] = ['German (Germany)', 'French'].map((name) =>
    page.getByLabel(`Caption (${name})`),
  );
  const show = (name: RegExp) => page.getByRole('button', { name }).click();
  // No language hides another one without a word.
  await show(/^French \d+ missing$/);
  expect(await german?.count()).toBe(0);
  await show(/^German \(Germany\) \d+ missing$/);
  expect(await french?.count()).toBe(0);
  await page.locator('div:has(> label [lang=de-DE])').getByText('Error').waitFor();
  await german?.fill('Lieblingspizza');
  await page.getByText(/^Error/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Remove gone' }).click();
  const next = page.getByRole('button', { name: 'Next missing text' });
  for (const label of [/^Button text/, /^Placeholder/, /^Fax/, /^Telephon/]) {
    await next.click();
    const focused = page.locator('label:has([lang=de-DE]:focus)');
    await focused.getByText(label).waitFor();
  }
  await page.locator('[lang=de-DE]:focus').fill('Telefon');
  // The phone shows the chosen language, until it is removed.
  await page.getByRole('button', { name: 'Profile', exact: true }).click();
  expect(await page.locator('.phone-screen[lang=de-DE] option').allTextContents()).toEqual([
    'Choose one',
    'Fax',
    'Telefon',
    'Post',
  ]);
  await page.getByText('Translate German (Germany) in a spreadsheet').click();
  await page.getByRole('button', { name: 'Remove German (Germany)' }).click();
  await expectLanguages(page, 'English', 'French');
  expect(await german?.count()).toBe(0);
});

test('two languages are added by name, and both stay until the draft is discarded', async () => {
  const page = await openForm('languages', 1280);
  await page.getByText('Languages: English').click();
  for (const name of ['German', 'Swedish']) {
    await page.getByLabel('Translate into').fill(name);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
  }
  await expectLanguages(page, 'English', 'German', 'Swedish');
  // A tag of no language says so before it has texts.
  const warning = 'The tag xx begins with xx, which is the code of no language';
  await page.getByLabel('Translate into').fill('xx');
  await page.getByRole('status').getByText(warning).waitFor();
  await page.reload();
  await expectLanguages(page, 'English', 'German', 'Swedish');
  // A publication says that they are not in it, and takes neither away.
  await page.locator('.field .name').first().click();
  await page.getByLabel('Caption', { exact: true }).fill('Another caption');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Without a text yet, so not published: German, Swedish.').waitFor();
  await page.getByLabel('Reason').fill('Why');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/^Published version 2/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('No changes. Languages without a text').waitFor();
  await expectLanguages(page, 'English', 'German', 'Swedish');
  // What is live is shown all the same.
  await follow(page.getByRole('link', { name: 'History' }), 'History of languages');
  await page.getByRole('button', { name: 'Undo version 2…' }).click();
  await page.getByLabel('Reason').fill('Back');
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText(/^Version 1 is restored/).waitFor();
  await page.keyboard.press('Escape');
  await follow(page.getByRole('link', { name: 'Configuration' }), 'Configuration of languages');
  await page.locator('.field .name').filter({ hasText: 'Favourite pizza' }).waitFor();
  await expectLanguages(page, 'English', 'German', 'Swedish');
  await page.getByRole('button', { name: 'Discard…' }).click();
  await page.getByRole('button', { name: 'Discard it' }).click();
  await page.getByText('Languages: English', { exact: true }).waitFor();
});

test('the language of the texts is entered by its name in any case, and says what is wrong with it', async () => {
  const page = await openForm('own-language');
  await page.getByText('Languages: English').click();
  await page.getByLabel('Translate into').fill('German');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const own = page.getByLabel('Language of your texts');
  for (const [entered, tag, warning] of [
    ['Norwegian Nynorsk', 'nn'],
    ['swedish', 'sv'],
    ['qq-QQ', 'qq-QQ', 'Warning: Begins with qq'],
    ['pt-BR', 'pt-BR'],
  ] as const) {
    await own.fill('');
    await own.pressSequentially(entered);
    await own.blur();
    const findings = page.locator('div:has(> label [list]) .findings li');
    const shown = async () => [await own.inputValue(), ...(await findings.allTextContents())];
    await expect.poll(shown).toEqual([tag, ...(warning ? [expect.stringContaining(warning)] : [])]);
  }
  // What was a translation is no translation any more.
  await own.fill('German');
  await own.blur();
  await page.getByText('Languages: German', { exact: true }).waitFor();
  // All letters are one step.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectLanguages(page, 'English', 'German');
});

test('the texts of a language go into a spreadsheet and back, unless they have changed since', async () => {
  const page = await openForm('spreadsheet', 1280, { de: {} });
  await page.getByRole('button', { name: /^German/ }).click();
  await page.getByText('Translate German in a spreadsheet').click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download all texts as CSV' }).click();
  const csv = await readFile(await (await downloading).path(), 'utf8');
  const upload = (text: string, encoding: BufferEncoding = 'utf8') => {
    const file = { name: 'de.csv', mimeType: 'text/csv', buffer: Buffer.from(text, encoding) };
    return page.getByLabel('Merge translations from CSV…').setInputFiles(file);
  };
  const filled = csv.replace('pizza,', 'pizza,"Pizza, groß"').replaceAll('\n', '\r\n');
  await upload(filled.slice(1), 'latin1');
  await page.getByRole('alert').getByText('UTF-8').waitFor();
  await upload(filled.replace('\n1,', '\n7,'));
  await page.getByRole('alert').getByText('Row 2').waitFor();
  await upload(filled.replace(/ [\da-f]{12}(?=\r)/, ' 0123456789ab'));
  await page.getByRole('alert').getByText('no version 0123456789ab').waitFor();
  await upload(filled);
  await page.getByText('Nothing was merged').waitFor({ state: 'detached' });
  const caption = page.getByLabel('Caption (German)');
  expect(await caption.inputValue()).toBe('Pizza, groß');
  // A text that is typed in the draft after the download is not replaced.
  await caption.fill('Pizza');
  await upload(filled);
  await page.getByRole('alert').getByText('Row 2').waitFor();
  expect(await caption.inputValue()).toBe('Pizza');
  await page.getByRole('button', { name: 'Undo' }).click();
  // The phones of the dialog open where something changes: in German, in the profile.
  await page.getByRole('button', { name: 'Publish…' }).click();
  const after = page.getByRole('region', { name: 'Phone: After publishing · Profile' });
  await after.getByText('Pizza, groß').waitFor();
});

test('the reason has the focus, stays after Escape, and the bar has the focus after a publication', async () => {
  const page = await openForm('focus');
  const expectFocused = (name: string) =>
    expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
  await page.getByLabel('Button text').fill('More&nbsp;');
  await page.getByRole('button', { name: 'Publish…' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('textarea:focus').waitFor();
  await page.getByRole('dialog').getByText('Warning: "Favourite pizza", Button text').waitFor();
  await page.keyboard.type('Why');
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await expectFocused('Publish…');
  await page.keyboard.press('Enter');
  await page.locator('textarea:focus').waitFor();
  expect(await page.getByLabel('Reason').inputValue()).toBe('Why');
  await page.keyboard.press('Tab');
  await expectFocused('Publish');
  await page.keyboard.press('Enter');
  await page.getByText(/^Published version 2/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('No changes').waitFor();
  await expectFocused('Publish…');
  // The editor and the history name and colour the same findings the same.
  const badge = page.locator('.badge.warning').filter({ hasText: /^1 warning$/ });
  await badge.first().waitFor();
  await follow(page.getByRole('link', { name: 'History' }), 'History of focus');
  await page.locator('.version summary').first().click();
  await badge.first().waitFor();
  // The versions of one author are listed, and the address says whose.
  await page.getByRole('combobox', { name: 'Author' }).selectOption('edited manually');
  const listed = () => page.locator('.version summary strong').allTextContents();
  await expect.poll(listed).toEqual(['1']);
  await page.reload();
  await expect.poll(listed).toEqual(['1']);
});

test('the phones show which options change, and the dialog then what is live, and its undo', async () => {
  const page = await openForm('live');
  await box(page).fill(`${await box(page).inputValue()}\nLetter`);
  await page.getByRole('button', { name: 'Publish…' }).click();
  const changed = page.getByRole('region', { name: /^Phone: After/ }).locator('select .changed');
  await changed.waitFor();
  expect(await changed.allTextContents()).toEqual(['Letter']);
  expect(await changed.evaluate((option) => option.closest('select')?.size)).toBeGreaterThan(1);
  await page.getByLabel('Reason').fill('Why');
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Published version 2' });
  await dialog.getByText(/^ ?All apps get it with their next request, from \w+day, /).waitFor();
  await dialog.getByText('"Letter"').waitFor();
  await dialog.getByRole('link', { name: 'Undo…' }).click();
  await page.getByText('Without version 2, with all').waitFor();
  expect((await box(page).inputValue()).split('\n')).toHaveLength(3);
});

test('Ctrl-Enter publishes from a form', async () => {
  const page = await openForm('keys');
  await page.getByLabel('Caption').fill('Another caption');
  await page.keyboard.press('Control+Enter');
  await page.getByLabel('Reason').fill('Why');
  // Somebody is as quick as can be with Escape.
  await page.locator('dialog').evaluate((dialog: HTMLDialogElement) => {
    const close = () => dialog.querySelector('.done') && dialog.close();
    new MutationObserver(close).observe(dialog, { childList: true, subtree: true });
  });
  await page.keyboard.press('Control+Enter');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.getByText('No changes').waitFor();
});

test('an App-Id that was revoked is neither advertised nor asked about', async () => {
  const page = await openForm('revoked');
  const appIds = 'a-first-app-id';
  await running.service.putConfig({ clientId: 'revoked', appIds });
  const screens = page.getByRole('navigation', { name: 'Client' });
  await follow(screens.getByRole('link', { name: 'Access' }), 'Access of revoked');
  await page.getByLabel('Name of the new App-Id').fill('mistake');
  await page.getByRole('button', { name: 'Add an App-Id' }).click();
  const shown = page.getByText('is shown only now');
  await shown.waitFor();
  await page.getByRole('button', { name: 'Revoke… mistake' }).click();
  await page.getByRole('button', { name: /^Revoke( it, although apps use it)?$/ }).click();
  await page.getByText('Done. It takes effect by').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await shown.waitFor({ state: 'detached' });
  await follow(page.getByRole('link', { name: 'History' }), 'History of revoked');
});

test('codes are sorted by any heading, lead to all codes of their user, and are downloaded under the name of the search', async () => {
  const page = await openForm('codes');
  for (const promoCode of ['B', 'A', 'C']) {
    const body = { ...PROMO_REQUEST, clientId: 'codes', promoCode };
    await running.service.applyPromoCode({ body });
  }
  await follow(page.getByRole('link', { name: 'Codes' }), 'Codes of codes');
  // This stage stores no device ids.
  expect(await page.getByLabel('Device id').count()).toBe(0);
  await page.getByRole('button', { name: 'Search' }).click();
  const found = page.getByRole('table').last();
  const codes = () => found.locator('tbody td:nth-child(2)').allTextContents();
  const firsts = async () => (await codes()).map((text) => text[0]).join('');
  await expect.poll(firsts).toBe('CAB');
  await page.getByRole('button', { name: /^Code/ }).click();
  await expect.poll(firsts).toBe('ABC');
  await page.getByRole('button', { name: /^Code/ }).click();
  await expect.poll(firsts).toBe('CBA');
  expect(await page.locator('[aria-sort=descending]').count()).toBe(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const csv = await readFile(await (await downloading).path());
  expect(csv.toString()).toMatch(/^\ufeffreceivedAt,/);
  await page.getByLabel('Promo code').fill('UNKNOWN');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Download as CSV' }).waitFor({ state: 'detached' });
  await page.getByLabel('Promo code').fill('A');
  await page.getByText('More', { exact: true }).click();
  await page.getByLabel(/^From/).fill('2026-11-22');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect.poll(firsts).toBe('A');
  const downloadingOne = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  expect((await downloadingOne).suggestedFilename()).toBe('codes-A-2026-11-22.csv');
  // A code leads to all who applied it, and a user to all codes.
  await page.getByRole('link', { name: 'A', exact: true }).click();
  await expect.poll(() => page.getByLabel(/^From/).inputValue()).toBe('');
  await page.getByRole('link', { name: PROMO_REQUEST.userId }).first().click();
  await page.getByRole('button', { name: /^How to hand over or erase/ }).waitFor();
  expect(await page.getByLabel('User id').inputValue()).toBe(PROMO_REQUEST.userId);
  expect(await page.getByLabel('Promo code').inputValue()).toBe('');
  // The address is that of the search.
  await page.goBack();
  await expect.poll(() => page.getByLabel('User id').inputValue()).toBe('');
});

test.each(['#/clients/%zz', '#/clients/demo/nothing', '#/clients/%E0%A4/history', '#/nothing'])(
  'the address %s shows an error',
  async (hash) => {
    const page = await openPage(running);
    await page.getByRole('table').waitFor();
    await page.goto(`${new URL(running.console.url).origin}/${hash}`);
    await page.getByRole('alert').waitFor();
    await follow(page.getByRole('link', { name: 'Clients' }), 'Clients');
    await page.getByRole('table').waitFor();
  },
);

/** Problems in the layout of a page. */
function flawsOf(): string[] {
  const linesOf = (range: Range) => new Set([...range.getClientRects()].map(({ top }) => top)).size;
  const broken = [...document.querySelectorAll('td, th, summary, label, .badge')].flatMap(
    (cell) => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const pattern = cell.matches('.badge') ? /.+/g : /\S+/g;
        for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(pattern)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          // A line may end after a hyphen or a slash.
          if (linesOf(range) > 1 && !/[-/]/.test(word)) found.push(word);
        }
      }
      return found;
    },
  );
  const filled = [...document.querySelectorAll<HTMLElement>('button:not(.hidden)')].filter(
    (button) =>
      button.checkVisibility() && !/^rgba\(.*, 0\)$/.test(getComputedStyle(button).backgroundColor),
  );
  const boxes = [...document.querySelectorAll('[type=radio], [type=checkbox]')].filter((input) => {
    const text = input.closest('label')?.querySelector('span');
    return text && text.getBoundingClientRect().left < input.getBoundingClientRect().left;
  });
  return [
    ...broken,
    ...(filled.length > 1 ? filled.map(({ innerText }) => `filled: ${innerText}`) : []),
    ...boxes.map(() => 'a text before its box'),
  ];
}

test.each([390, 834, 1280])(
  'at %i pixels, words and badges are whole, and one button is filled',
  async (width) => {
    const page = await openForm(`layout-${width}`, width, { de: {}, 'pt-BR': {} });
    const expectWhole = async () => expect(await page.evaluate(flawsOf)).toEqual([]);
    await expectWhole();
    for (const name of ['History', 'Codes', 'Access', 'Clients']) {
      const heading = name !== 'Clients' ? `${name} of layout-${width}` : name;
      await follow(page.getByRole('link', { name, exact: true }), heading);
      if (name === 'Codes') await page.getByRole('button', { name: 'Search' }).click();
      await page.getByText('Loading…').waitFor({ state: 'detached' });
      if (name === 'Clients') {
        await page.getByText('Checks of those on call').click();
        await page
          .getByRole('link', { name: /^Runbook/ })
          .first()
          .waitFor();
      }
      await expectWhole();
    }
    await page.goto(`${new URL(running.console.url).origin}/docs/console.md`);
    await page.getByRole('heading', { name: 'Console' }).waitFor();
    const pictures = page.locator('img');
    const widths = await pictures.evaluateAll((all) => all.map((one) => Object(one).naturalWidth));
    expect(widths).not.toContain(0);
  },
);
