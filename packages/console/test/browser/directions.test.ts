import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openPage } from './accessible.ts';
import { startConsoleInChromium } from './console-in-chromium.ts';
import { screenShown } from './screens.ts';

/** A name in Hebrew, which moves digits and Latin letters beside it unless it is kept apart. */
const NAME = 'צבע 12 ABC';

/** Lists the lines in which the name stands beside other text and is not kept apart from it. */
async function mixedLines(page: Page): Promise<string[]> {
  return page.evaluate((name) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const mixed: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const { textContent: text, parentElement } = node as Text;
      if (!text.includes(name) || parentElement?.closest('code, option, textarea, pre, .hidden'))
        continue;
      let block = parentElement;
      while (block && getComputedStyle(block).display === 'inline') block = block.parentElement;
      const isApart = parentElement?.localName === 'bdi' && !/[a-z]/.test(text);
      if (!isApart && block?.textContent !== name) mixed.push(block?.textContent ?? '');
    }
    return mixed;
  }, NAME);
}

test('a name in another direction is kept apart from the words around it, on every screen', async () => {
  await using running = await startConsoleInChromium();
  const { service } = running;
  const [drop, text, combo] = parse(PIZZA).fields;
  const options = ['a', 'b'].map((value) => ({ value, display: `${NAME}${value}`.slice(0, -1) }));
  const [first = {}] = options;
  const named = {
    ...drop,
    fieldName: NAME,
    addButtonText: NAME,
    allowMultiple: true,
    mandatory: true,
  };
  const fields = (...optionsArray: object[]) => [
    { ...named, subFieldA: { ...drop.subFieldA, optionsArray } },
    { ...text, mandatory: true },
    combo,
  ];
  const item = {
    clientId: NAME,
    appIds: new Set(['one', 'two']),
    userPoolClientIds: new Set([NAME]),
    lastFieldId: 3,
  };
  const lastChange = { id: 'id', by: NAME, message: NAME, at: new Date().toISOString() };
  await service.putConfig({ ...item, fields: fields(), lastChange });
  await service.putConfig({ ...item, fields: fields(first), [NAME]: 1, lastChange });
  await service.applyPromoCode({
    token: { user: NAME },
    body: { clientId: 'demo', promoCode: NAME, userId: NAME },
  });
  const page = await openPage(running);
  const wrong: Record<string, string[]> = {};
  const look = async (at: string) => {
    const mixed = await mixedLines(page);
    if (mixed.length > 0) wrong[at] = mixed;
  };
  const open = async (screen: string, path: string, query = '') => {
    await page.goto(`${new URL(page.url()).origin}/#/${path}${query}`);
    await screenShown(page, screen);
  };
  const client = `clients/${encodeURIComponent(NAME)}`;
  await page.getByRole('link', { name: NAME, exact: true }).waitFor();
  await look('clients');

  await page.getByRole('link', { name: NAME, exact: true }).click();
  await page.locator('.field .name').first().click();
  await look('rows and phone');
  await page.getByLabel('Options, one per line', { exact: true }).fill(`${NAME}\n${NAME}\nA`);
  await look('options');
  await page.getByLabel('Options, one per line', { exact: true }).fill('A');
  await page.locator('.field .more summary').first().click();
  await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
  await look('notice');
  await page.getByLabel('Caption').fill(NAME);
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByLabel('Reason').waitFor();
  await look('review');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByLabel('Options, one per line', { exact: true }).fill('');
  await page.locator('.found summary').click();
  await look('errors');
  await page.getByRole('button', { name: 'Discard…' }).click();
  await page.getByRole('button', { name: 'Discard it' }).click();

  await open(`History of ${NAME}`, `${client}/history`);
  const versions = page.locator('.version summary');
  await versions.nth(1).waitFor();
  for (const summary of await versions.all()) await summary.click();
  await page.getByText('is added').first().waitFor();
  await look('history');
  await open(`History of ${NAME}`, `${client}/history`, '?compare=1..2');
  await page.getByText('Effects on customers').waitFor();
  await look('comparison');
  await open(`Access of ${NAME}`, `${client}/access`);
  await page
    .getByRole('button', { name: /^Name… / })
    .first()
    .click();
  await look('access');
  // It is in a cell of a table whose text is at the other edge.
  const question = page.locator('dialog[open] article > p').last();
  expect(await question.evaluate((one) => getComputedStyle(one).textAlign)).toBe('start');
  await open('Codes of demo', 'clients/demo/codes', `?user=${encodeURIComponent(NAME)}`);
  await page.getByRole('button', { name: 'How to hand over' }).click();
  await look('codes');
  await open(`Configuration of ${NAME}!`, `clients/${encodeURIComponent(`${NAME}!`)}`);
  await page.getByText('There is no client').waitFor();
  await look('failure');
  expect(wrong).toEqual({});
});
