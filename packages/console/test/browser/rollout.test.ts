import { PIZZA } from 'customer-data-api/testing/configurations';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openPage } from './accessible.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';
import { follow } from './screens.ts';

/* An operator gives a draft to a few devices first. Each step meets WCAG 2.2 AA, as axe sees it. */

/** Starts the console with the client pizza. */
async function startPizza() {
  const running = await startConsoleInChromium();
  const { service } = running;
  const { fields } = parse(PIZZA);
  const appIds = new Set(['demo-app-key']);
  await service.putConfig({ clientId: 'pizza', fields, lastFieldId: 3, appIds });
  /** Returns the captions of the first two fields that a device gets. */
  const given = async (device: string) => {
    const headers = { 'Device-Id': device, 'App-Id': 'demo-app-key' };
    const { body } = await service.getConfig({ body: { clientId: 'pizza' }, headers });
    return body.data.fields.slice(0, 2).map(({ fieldName }: Named) => fieldName);
  };
  return { ...running, fields, appIds, given };
}

interface Named {
  readonly fieldName: string;
}

/** Opens the page of an operator, who gives a field another caption. */
async function openDraft(running: ConsoleInChromium, width: number, at: number, caption: string) {
  const page = await openPage({ ...running, width });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const link = page.getByRole('link', { name: 'pizza', exact: true });
  await follow(link, 'Configuration of pizza');
  await page.locator('.field .name').nth(at).click();
  await page.getByLabel('Caption', { exact: true }).fill(caption);
  await press('Publish…');
  return { page, press, box: page.getByRole('region', { name: 'Rollout' }) };
}

test('a draft is shown on one phone while a colleague publishes a correction', async () => {
  await using running = await startPizza();
  const { given } = running;
  const { page, press, box } = await openDraft(running, 1280, 0, 'Your pizza');
  await page.getByLabel('To a few devices first').check();
  await page.getByLabel('Reason').fill('Look');
  await press('Start the preview');
  // A preview for nobody is none.
  expect(await page.getByLabel(/^Devices that get it/).evaluate(isInvalid)).toBe(true);
  await page.getByLabel(/^Devices that get it/).fill('my-phone');
  await press('Start the preview');
  await page.getByText('The preview has started as version 2').waitFor();
  await press('Close');
  await box.getByRole('heading', { name: 'Preview on 1 named device' }).waitFor();
  await page.getByText('Not published. The draft is saved in this browser only.').waitFor();

  const ben = await openDraft(running, 1280, 1, 'Card number');
  await ben.page.getByLabel('To a few devices first').check();
  await ben.page.getByText(/^This ends the preview by .* on 1 named device: my-phone\.$/).waitFor();
  await ben.page.getByLabel('To a few devices first').uncheck();
  await ben.page.getByLabel('Reason').fill('Correct it');
  await ben.press('Publish');
  await ben.page.getByText('Published version 3').waitFor();
  expect(await given('my-phone')).toEqual(['Your pizza', 'Membership number']);
  expect(await given('x')).toEqual(['Favourite pizza', 'Card number']);

  // More devices would get the mistake back.
  await box.getByText(/^What is live has changed since the candidate was made/).waitFor();
  expect(await box.getByRole('button', { name: 'Give it to more devices…' }).isDisabled()).toBe(
    true,
  );
  await press('Merge with what is live…');
  await page.getByLabel('Reason').fill('Both');
  await press('Merge');
  await page.getByText('The same devices get both, as version 4').waitFor();
  await press('Close');
  expect(await given('my-phone')).toEqual(['Your pizza', 'Card number']);
  expect(await given('x')).toEqual(['Favourite pizza', 'Card number']);
  await press('Give it to all devices…');
  await page.getByLabel('Reason').fill('Good');
  await press('Give it to all devices');
  await page.getByText('All devices get the candidate. It is live as version 5').waitFor();
  await press('Close');
  expect(await given('x')).toEqual(['Your pizza', 'Card number']);
  await page.getByText('No changes', { exact: true }).waitFor();
});

function isInvalid(input: Element): boolean {
  return input.matches(':invalid');
}

test.each([1280, 390])('a rollout starts, is widened and stopped, at %i pixels', async (width) => {
  await using running = await startPizza();
  const { service, given, fields, appIds } = running;
  const { page, press, box } = await openDraft(running, width, 0, 'Your pizza');
  const refused: string[] = [];
  page.on('response', (one) => one.status() === 409 && refused.push(one.url()));
  await page.getByLabel('To a few devices first').check();
  await page.getByLabel('Share of all devices').fill('5');
  await page.getByLabel(/^Devices that get it/).fill('my-phone');
  await page.getByLabel('Reason').fill('Try it on our phones');
  await press('Start the rollout');
  await page.getByText('The rollout has started as version 2').waitFor();
  await press('Close');

  await box
    .getByRole('heading', { name: 'Rollout to 5 % of the devices and 1 named device' })
    .waitFor();
  await box.getByText('"Favourite pizza" is now called "Your pizza".').waitFor();
  expect((await given('my-phone'))[0]).toBe('Your pizza');
  await expect.poll(() => page.getByText('No changes').count()).toBe(1);
  const phone = page.getByRole('region', { name: /^Phone: / });
  const isNarrow = width === 390;
  if (isNarrow) await press('Phone');
  await press('Candidate');
  await phone.getByText('Your pizza').waitFor();
  await press('Candidate');
  if (isNarrow) await press('Close the phone');
  expect(refused).toEqual([]);
  // Another draft has to wait.
  await page.getByLabel('Caption', { exact: true }).fill('Pizza');
  await page.getByText('Not published, as a rollout runs.').waitFor();
  const publish = page.getByRole('button', { name: 'Publish…', exact: true });
  expect(await publish.getAttribute('aria-disabled')).toBe('true');
  await page.keyboard.press('Control+Enter');
  expect(await page.getByRole('dialog').count()).toBe(0);

  await press('Give it to more devices…');
  await page.getByLabel('New share, in percent').fill('20');
  await page.getByLabel('Reason').fill('No complaints');
  await press('Give it to more devices');
  await page.getByText('Done.').waitFor();
  await press('Close');
  await box.getByRole('heading', { name: 'Rollout to 20 % of the devices' }).waitFor();

  await press('Stop the rollout…');
  await page.getByLabel('Reason').fill('Complaints');
  await press('Stop the rollout');
  await page.getByText('Done.').waitFor();
  await press('Close');
  await box.waitFor({ state: 'detached' });
  expect((await given('my-phone'))[0]).toBe('Favourite pizza');
  // The draft is still up to date.
  await publish.and(page.locator('[aria-disabled=false]')).waitFor();

  // The candidate is kept, and becomes a draft.
  await follow(page.getByRole('link', { name: 'History' }), 'History of pizza');
  const stopped = page.locator('.version summary').filter({ hasText: 'rollout ended' });
  await stopped.getByText('Back to version 1 for everybody.').waitFor();
  const widened = page.getByRole('listitem').filter({ hasText: /until .*: Rollout stopped\./ });
  await widened.locator('summary').click();
  await widened.getByText('Candidate for 20 % of the devices and 1 named device:').waitFor();
  await widened.getByRole('link', { name: 'Compare with what is live' }).click();
  const compared = page.getByRole('region', { name: 'Version 1 compared with 3 (candidate)' });
  await compared.getByText('"Favourite pizza" is now called "Your pizza".').waitFor();
  const draft = widened.getByRole('link', { name: 'Open the candidate as a draft' });
  await follow(draft, 'Configuration of pizza');
  await page.getByText('Opened the candidate of version 3.').waitFor();
  await page.getByText('Your pizza').first().waitFor();
  await press('Undo');
  await page.locator('.field .name').first().click();
  expect(await page.getByLabel('Caption', { exact: true }).inputValue()).toBe('Pizza');

  // What a manual edit has damaged reaches nobody, and can only be stopped.
  const rollout = { id: 'one', fields, percent: '20' };
  await service.putConfig({ clientId: 'pizza', fields, lastFieldId: 3, appIds, rollout });
  await box.getByText('rollout.percent must be a number').waitFor();
  expect(await box.getByRole('button').allTextContents()).toEqual(['Stop the rollout…']);
  await press('Stop the rollout…');
  await page.getByLabel('Reason').fill('Damaged by hand');
  await press('Stop the rollout');
  await page.getByText('Done.').waitFor();
  await press('Close');
  await box.waitFor({ state: 'detached' });
});
