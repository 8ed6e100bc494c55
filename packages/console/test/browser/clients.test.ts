import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { deploymentOf } from 'customer-data-api-deployment';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startConsole } from '../../server/server.ts';
import { openPage } from './accessible.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';
import { follow, screenShown } from './screens.ts';

/* The list of clients: who needs somebody, why, and where that is repaired. */

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

const { fields } = parse(PIZZA);

/** Stores a client that is in order but for some attributes. */
async function store(clientId: string, others: object = {}): Promise<void> {
  const [appClient = ''] = running.service.outputs.UserPoolClientId.split(',');
  const access = {
    appIds: new Set([`key-of-${clientId}`]),
    userPoolClientIds: new Set([appClient]),
  };
  await running.service.putConfig({ clientId, fields, lastFieldId: 3, ...access, ...others });
}

const NOT_MANDATORY = [{ ...fields[0], mandatory: 'yes' }, fields[1]];
const rowOf = (page: Page, clientId: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: clientId, exact: true }) });
const figure = (page: Page) => page.getByRole('navigation', { name: 'Console' }).locator('.badge');
const go = (page: Page, hash: string) => page.goto(`${new URL(page.url()).origin}/${hash}`);

/** Publishes another caption of the first field. */
async function publish(page: Page, clientId: string, caption: string): Promise<void> {
  await go(page, `#/clients/${clientId}`);
  const input = page.getByLabel('Caption', { exact: true });
  await page.locator('.field .name').first().waitFor();
  if (!(await input.isVisible())) await page.locator('.field .name').first().click();
  await input.fill(caption);
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByLabel('Reason').fill('Why');
  await page.getByRole('button', { name: 'Publish' }).last().click();
  await page.getByText(/^Published version/).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
}

test('a row says what is wrong, and leads to where that is repaired', async () => {
  await store('unticked', { fields: NOT_MANDATORY });
  await store('misspelled', { lastFieldID: 3 });
  const page = await openPage(running);
  await go(page, '#/problems');
  await screenShown(page, 'Clients');
  const wrong = rowOf(page, 'unticked').getByRole('link', { name: /, Mandatory: is neither on/ });
  await follow(wrong, 'Configuration of unticked');
  await page.locator('label', { hasText: 'Mandatory' }).and(page.locator(':has(:focus)')).waitFor();
  await page.goBack();
  const row = rowOf(page, 'misspelled');
  await row.getByText(/Did you mean lastFieldId\? It cannot be repaired here/).waitFor();
  // A press beside its links opens the client.
  await row.getByRole('cell').first().click();
  await screenShown(page, 'Configuration of misspelled');
  await page.getByText(/Did you mean lastFieldId\? It cannot be repaired here/).waitFor();
  await expect.poll(() => page.getByText('customers do not see').count()).toBe(0);
});

test('a client that was removed by hand has a row, and is created again from there', async () => {
  const { service } = running;
  await store('removed');
  const page = await openPage(running);
  await publish(page, 'removed', 'Your pizza');
  const TableName = service.outputs.ConfigsTableName;
  await service.dynamodb.send(
    new DeleteItemCommand({ TableName, Key: { clientId: { S: 'removed' } } }),
  );
  await follow(page.getByRole('link', { name: 'Clients' }), 'Clients');
  await page.getByRole('button', { name: 'Check again' }).click();
  await rowOf(page, 'removed').getByText('Was deleted manually').waitFor();
  await rowOf(page, 'removed').getByRole('link', { name: 'Create it again' }).click();
  await page.locator('input:focus').waitFor();
  expect(await page.getByLabel('Client id').inputValue()).toBe('removed');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Created removed.').waitFor();
  await rowOf(page, 'removed').getByText('Was deleted manually').waitFor({ state: 'detached' });
});

test('a manual edit after the last publication is marked, and leads to its comparison', async () => {
  await store('edited');
  const page = await openPage(running);
  await publish(page, 'edited', 'Your pizza');
  const last = rowOf(page, 'edited').getByText('Why');
  await follow(page.getByRole('link', { name: 'Clients' }), 'Clients');
  await last.waitFor();
  await store('edited', { fields: fields.slice(1) });
  const edited = rowOf(page, 'edited').getByRole('link', { name: 'edited manually' });
  // It is recorded by and by, and the list is back once all clients are read.
  const isShown = async () => {
    await page.getByRole('button', { name: 'Check again' }).click();
    return edited.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(isShown).toBe(true);
  // Nobody has given a reason for it.
  expect(await last.count()).toBe(0);
  await edited.click();
  await page.getByRole('heading', { name: 'Version 2 compared with 3' }).waitFor();
});

test('the figure is blank until it is known, and falls with a repair on this page', async () => {
  await store('counted', { fields: NOT_MANDATORY });
  const page = await openPage(running);
  // The figure of what was found before does not have it.
  await rowOf(page, 'counted').getByText('Mandatory').waitFor();
  const before = Number(await figure(page).textContent());
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  await page.route('**/api/findings', async (route) => {
    await isOpen;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('link', { name: 'Clients' }).waitFor();
  await page.getByText('Checking…').waitFor();
  // Nobody waits for the list of thousands of clients.
  await rowOf(page, 'counted').waitFor();
  expect(await figure(page).count()).toBe(0);
  open();
  await expect.poll(() => figure(page).textContent()).toBe(`${before}`);
  await go(page, '#/clients/counted');
  await page.getByRole('button', { name: 'Fix 1 error first' }).click();
  await page.getByLabel('Mandatory').first().check();
  await publish(page, 'counted', 'Your pizza');
  await follow(page.getByRole('link', { name: 'History' }), 'History of counted');
  await expect.poll(() => figure(page).textContent()).toBe(`${before - 1}`);
});

test('the foot opens to the checks of those on call, each with its place in the runbook', async () => {
  for (const clientId of ['copy', 'original'])
    await store(clientId, { appIds: new Set(['one-id']) });
  const outputs = { ...running.service.outputs, SqsEndpoint: 'http://127.0.0.1:1' };
  const deployment = deploymentOf({ stackName: 'CustomerDataApi-dev', outputs });
  await using console = await startConsole(deployment, { port: 0, log: () => {} });
  const page = await openPage({ ...running, console });
  await page.getByText('Checks of those on call').click();
  const [unchecked, shared] = ['Not checked', 'App-Id in common'].map((text) =>
    page.getByRole('row').filter({ hasText: text }),
  );
  const link = unchecked?.getByRole('link', { name: /^Runbook/ });
  expect(await link?.getAttribute('href')).toBe('docs/runbook.md#when-a-call-of-aws-fails');
  await shared?.getByText('keys add CLIENT').waitFor();
  const rows = page.locator('details table tbody tr');
  expect(await rows.getByRole('link', { name: /^Runbook/ }).count()).toBe(await rows.count());
  // Its clients are in the list, and are not said twice.
  expect(await rows.filter({ hasText: 'has 1 error' }).count()).toBe(0);
  expect(await rows.filter({ hasText: /clients? above must be repaired/ }).count()).toBe(1);
});

test('warnings from before are apart and counted, and a thousand equal ones are one line', async () => {
  const optionsArray = Array.from({ length: 1000 }, (_, at) => {
    return { value: `${at}`, display: `Number ${at}: many` };
  });
  const many = { ...fields[0], subFieldA: { ...fields[0].subFieldA, optionsArray } };
  await store('many', { fields: [many, fields[1]] });
  const page = await openPage(running);
  await go(page, '#/clients/many');
  await page.locator('.found > summary').click();
  const found = page.locator('.found');
  await found.getByText('1000 warnings from before').click();
  await found.getByText('has a colon').waitFor();
  await found.getByText('The same 999 more times.').waitFor();
  expect(await found.getByRole('listitem').count()).toBe(1);
  await page.locator('.field .name').nth(1).click();
  await page.getByLabel('Shown at').selectOption('');
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog');
  const news = dialog.locator('.findings > .warning').filter({ visible: true });
  await news.getByText(/Shown at: the field is .*shown nowhere/).waitFor();
  expect(await news.count()).toBe(1);
  await dialog.getByText('1000 warnings from before').waitFor();
});
