import { PIZZA } from 'customer-data-api/testing/configurations';
import { startFaultProxy } from 'customer-data-api/testing/fault-proxy';
import { deploymentOf } from 'customer-data-api-deployment';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Console, startConsole } from '../../server/server.ts';
import { openPage } from './accessible.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';
import { act, follow } from './screens.ts';

/* Whatever fails, the operator learns it, and no edit is lost. */

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

function start(changed = {}, port = 0): Promise<Console> {
  const outputs = { ...running.service.outputs, ...changed };
  const deployment = deploymentOf({ stackName: 'CustomerDataApi-dev', outputs });
  return startConsole(deployment, { port, log: () => {} });
}

/** Opens a client of its own, and edits the caption of its field. */
async function editedPage(clientId: string, console: Console): Promise<Page> {
  const { fields } = parse(PIZZA);
  await running.service.putConfig({ clientId, fields, lastFieldId: 3 });
  const page = await openPage({ ...running, console });
  const link = page.getByRole('link', { name: clientId, exact: true });
  await follow(link, `Configuration of ${clientId}`);
  await page.locator('.field .name').first().click();
  await page.getByLabel('Caption').fill('My edit');
  return page;
}

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByLabel('Reason').fill('A reason');
  await page.getByRole('button', { name: 'Publish' }).last().click();
}

test('a connection lost during a publication: the page finds out whether it was published', async () => {
  const page = await editedPage('lost', running.console);
  const again = () => page.getByRole('button', { name: 'Publish' }).last().click();
  await page.route('**/publish', (route) => route.abort());
  await publish(page);
  await page.getByText('nothing was published. Try again.').waitFor();
  // The change is made, and neither this nor its outcome is heard.
  await page.route('**/publish{,/*}', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await again();
  await page.getByText('It is unknown whether the change was published.').waitFor();
  await page.unroute('**/publish{,/*}');
  await page.unroute('**/publish');
  await again();
  await page.getByText('Published version 2').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('No changes').waitFor();

  await page.getByLabel('Caption').fill('My next edit');
  await page.route('**/publish', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await publish(page);
  await page.getByText('Published version 3').waitFor();
});

test('a console that ends during an edit: the next one at its port has the draft', async () => {
  const first = await start();
  const page = await editedPage('stopped', first);
  await first[Symbol.asyncDispose]();
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByText('Your drafts stay in this browser.').waitFor();
  await using second = await start({}, first.port);
  // The old secret is of no use.
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('This address has no valid secret').waitFor();
  await page.goto(second.url);
  await page.getByRole('row', { name: 'stopped Draft' }).waitFor();
  const link = page.getByRole('link', { name: 'stopped', exact: true });
  await follow(link, 'Configuration of stopped');
  await page.getByText('My edit').first().waitFor();
});

test('an operator who may only view learns it before the first edit, and keeps the draft', async () => {
  const proxy = await startFaultProxy();
  proxy.target = running.service.outputs.DynamoDbEndpoint;
  proxy.faultOf = ({ operation }) => (operation === 'UpdateItem' ? 'not permitted' : undefined);
  await using console = await start({ DynamoDbEndpoint: proxy.url });
  const page = await editedPage('viewed', console);
  await page.getByText('You may not publish.').waitFor();
  await publish(page);
  await page.getByRole('alert').filter({ hasText: 'UpdateItem' }).last().waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await page.getByText('My edit').first().waitFor();
  await proxy.stop();
});

test('a second window shows what the first one edits', async () => {
  const page = await editedPage('windows', running.console);
  const other = await openPage({ ...running, context: page.context() });
  const link = other.getByRole('link', { name: 'windows', exact: true });
  await follow(link, 'Configuration of windows');
  await other.getByText('My edit').first().waitFor();
  await page.getByLabel('Caption').fill('My second edit');
  await other.getByText('My second edit').first().waitFor();
});

test('a client that is locked out leads to who may call, and the number of problems stays in view', async () => {
  const { fields } = parse(PIZZA);
  const userPoolClientIds = new Set([running.service.outputs.UserPoolClientId, 'gone']);
  const item = { clientId: 'damaged', fields, lastFieldId: 3, appIds: 'a,b', userPoolClientIds };
  await running.service.putConfig(item);
  const page = await openPage(running);
  const row = page.getByRole('row', { name: 'damaged' });
  await follow(row.getByRole('link', { name: 'App-Ids: is a single string' }), 'Access of damaged');
  await page.getByText('App-Ids: is a single string with a comma').waitFor();
  await page.getByText('no app can send it').waitFor();
  await page.getByRole('navigation', { name: 'Console' }).locator('.badge').waitFor();
  // An app client that does not exist can be chosen again.
  const gone = page.getByLabel('gone (this deployment has no such app client)');
  await gone.uncheck();
  await page.getByRole('button', { name: 'Set the app clients…' }).click();
  await page.getByText('Refused from then on: customers who signed in through gone.').waitFor();
  await page.locator('button.danger', { hasText: /^Set$/ }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await gone.check();
  // What helps apps that are released is open.
  await page.getByText('keys add damaged --from').waitFor();
});

test('a draft of fields that have one id is not merged, replaces nothing, and stays', async () => {
  const { fields } = parse(PIZZA);
  const put = (fieldName: string) => {
    const [first, second] = [fields[0], { ...fields[1], fieldName }];
    const both = [first, { ...second, id: first.id }];
    return running.service.putConfig({ clientId: 'twice', language: 'en', fields: both });
  };
  await put('Number');
  const page = await openPage(running);
  const link = page.getByRole('link', { name: 'twice', exact: true });
  await follow(link, 'Configuration of twice');
  await act(page, 'Number', 'Remove');
  await put('Another number');
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await page.getByRole('button', { name: 'Merge…' }).click();
  await page.getByText(/^The version .* several fields with the id 1, so no changes/).waitFor();
  expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual([
    '',
    'Try again',
  ]);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Removed Number. Undo brings it back.').waitFor();
});

test('a warning leads to where it is solved', async () => {
  const { fields } = parse(PIZZA);
  const multiple = {
    ...fields[2],
    allowMultiple: true,
    addButtonText: 'More&nbsp;',
    translations: { de: { fieldName: 'Auto' } },
  };
  await running.service.putConfig({
    clientId: 'warned',
    language: 'en',
    fields: [fields[1], multiple],
    lastFieldId: 3,
    appIds: new Set(['one-app-id']),
    userPoolClientIds: new Set([running.service.outputs.UserPoolClientId]),
  });
  const page = await openPage(running);
  const focused = (label: string) =>
    page.locator('label', { hasText: label }).filter({ has: page.locator(':focus') });
  const row = page.getByRole('row', { name: /^warned/ });
  await follow(row.getByRole('link', { name: '2 warnings' }), 'Configuration of warned');
  await focused('Button text').waitFor();
  await page.locator(':focus').fill('+');
  await page.getByRole('button', { name: '1 warning' }).click();
  await focused('Caption (German)').waitFor();
  await page.getByLabel('Caption', { exact: true }).fill('C&auml;r');
  await page.locator('.found > summary').click();
  await page.getByRole('button', { name: /Caption: has characters/ }).click();
  await focused('Caption').waitFor();
});
