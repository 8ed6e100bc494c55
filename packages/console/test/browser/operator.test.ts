import { appliedItem } from 'customer-data-api/testing/promo-event';
import { PROMO_REQUEST } from 'customer-data-api/testing/service';
import type { Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage } from './accessible.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';
import { follow, menuOf, screenShown } from './screens.ts';

/*
 * What an operator does from the first field to the code of a customer. Each step meets WCAG 2.2
 * AA, as far as axe can tell, in both themes.
 */

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

/** Ways in which an operator uses a control. */
interface Hands {
  readonly press: (control: Locator) => Promise<void>;
  readonly type: (input: Locator, text: string) => Promise<void>;
  readonly choose: (select: Locator, option: string) => Promise<void>;
}

const mouse: Hands = {
  press: (control) => control.click(),
  type: (input, text) => input.fill(text),
  choose: async (select, option) => void (await select.selectOption(option)),
};

/** Reaches each control with Tab, as somebody who has no mouse. */
function keyboardOf({ keyboard }: Page): Hands {
  async function reach(control: Locator) {
    // It is in view, and the state that it is in is checked.
    await control.click({ trial: true });
    for (let presses = 0; presses < 150; presses++) {
      if (await control.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`The keyboard cannot reach ${control}.`);
  }
  return {
    press: async (control) => {
      await reach(control);
      const isBox = await control.evaluate((one) => one.matches('[type=checkbox], [type=radio]'));
      await keyboard.press(isBox ? 'Space' : 'Enter');
    },
    type: async (input, text) => {
      await reach(input);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.press('Delete');
      await keyboard.type(text);
    },
    choose: async (select, option) => {
      await reach(select);
      await keyboard.type(option);
    },
  };
}

const CAPTION = 'Caption';
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const input = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** The App-Id that the page shows once. */
async function appIdShown(page: Page): Promise<string> {
  return (await page.locator('.once').textContent()) ?? '';
}

/** Publishes what the open dialog shows. */
async function confirm(page: Page, { press, type }: Hands, message: string): Promise<void> {
  await type(page.getByLabel('Reason'), message);
  await press(button(page, /^(Publish|Restore)$/));
  await page.getByText(/^(Published|Version 3 is restored. It is live as) version/).waitFor();
  await press(button(page, 'Close'));
}

test.each([
  ['the mouse', 1280, () => mouse],
  ['the keyboard alone', 834, keyboardOf],
  ['a window of 390 pixels', 390, () => mouse],
] as const)(
  'with %s, from the first field to the code of a customer',
  async (name, width, handsOf) => {
    const clientId = name.replaceAll(' ', '-');
    const { service } = running;
    const page = await openPage({ ...running, width });
    const hands = handsOf(page);
    const { press, type, choose } = hands;
    await press(page.getByText('Create a client', { exact: true }));
    await type(page.getByLabel('Client id'), clientId);
    await type(page.getByLabel('Name of the first App-Id'), 'iOS 3');
    await press(button(page, /^Create$/));
    const oldAppId = await appIdShown(page);
    await type(input(page, 'Search clients'), 'no such client');
    await type(input(page, 'Search clients'), 'e');
    // Cards have no headings.
    if (width > 390) await press(button(page, /^Last change/));
    await page.getByText('Checking…').waitFor({ state: 'detached' });
    await press(link(page, clientId));
    // It was not copied, and nothing shows it again.
    await page.getByRole('heading', { name: 'Leave without the App-Id "iOS 3"?' }).waitFor();
    await press(button(page, 'Close'));
    expect(await appIdShown(page)).toBe(oldAppId);
    await press(link(page, clientId));
    await press(button(page, /^Leave$/));
    await screenShown(page, `Configuration of ${clientId}`);

    await press(button(page, /^Text$/));
    await type(input(page, CAPTION), 'Company');
    await type(input(page, 'Longest answer'), '5');
    await press(input(page, 'Other characters allowed'));
    await press(button(page, /^Dropdown$/));
    await type(input(page, CAPTION), 'Preferred contact');
    await press(input(page, 'Mandatory'));
    await type(input(page, 'Options, one per line'), 'E-mail\nTelephone');
    await press(button(page, /^Combination \(two inputs\)$/));
    await type(input(page, CAPTION), 'Car');
    await choose(page.getByRole('combobox', { name: 'Kind', exact: true }).first(), 'Dropdown');
    // What is wrong is fixed before anything is published.
    await press(button(page, 'Fix 1 error first'));
    await page.locator('textarea:focus').fill('Fiat');

    // The phone shows what customers will get, and can be filled in.
    const phone = page.getByRole('region', { name: 'Phone: Registration' });
    const captions = () => page.locator('.phone legend').allTextContents();
    const slide = async (name: string) => {
      if (width === 390) await press(button(page, name));
    };
    await slide('Phone');
    await expect.poll(captions).toEqual(['Company', 'Preferred contact mandatory', 'Car']);
    await type(phone.getByRole('textbox').first(), 'too & long');
    await phone
      .getByText(/5 characters, not 10\. Please use letters, digits and spaces only\.$/)
      .waitFor();
    await press(button(page, 'Continue'));
    await phone.getByText('The app would not accept these answers.').waitFor();
    await type(phone.getByRole('textbox').first(), 'Acme');
    await phone.getByText('The app would not accept').waitFor({ state: 'detached' });
    await choose(phone.getByRole('combobox').first(), 'Telephone');
    await choose(phone.getByRole('combobox').last(), 'Fiat');
    await press(button(page, 'Continue'));
    await phone.getByText('Car: fiat, (empty). One input').waitFor();
    await slide('Close the phone');

    await press(button(page, 'Undo'));
    await page.getByText('Left out because of errors: "Car"').waitFor({ state: 'attached' });
    await press(button(page, 'Redo'));
    await page.reload();
    // A translation: each missing text leads to the next.
    await press(page.getByText('Languages', { exact: true }));
    await type(page.getByLabel('Language of your texts'), 'en');
    await type(page.getByLabel('Translate into'), 'ar');
    await press(button(page, /^Add$/));
    await press(button(page, 'Next missing text'));
    await page.locator('[lang=ar]:focus').fill('شركة');
    await press(button(page, 'Next missing text'));
    await page.locator('[lang=ar]:focus').fill('وسيلة');
    expect(await page.locator('.phone [dir=rtl] legend').allTextContents()).toContain('شركة');
    await press(button(page, /^English$/));
    await press(button(page, 'Publish…'));
    await confirm(page, hands, 'The first fields');
    const called = { 'App-Id': oldAppId };
    const headers = { ...called, 'Accept-Language': 'ar-EG' };
    const { body: arabic } = await service.getConfig({ body: { clientId }, headers });
    expect(arabic.data.fields[0].fieldName).toBe('شركة');
    const { body } = await service.getConfig({ body: { clientId }, headers: called });
    const names = body.data.fields.map(({ fieldName }: { fieldName: string }) => fieldName);
    expect(names).toEqual(['Company', 'Preferred contact', 'Car']);

    // Meanwhile, a colleague changes the same field.
    await press(menuOf(page, 'Preferred contact'));
    await press(button(page, /^Remove$/));
    await page.getByText('Removed Preferred contact. Undo brings it back.').waitFor();
    await press(button(page, /^Car/));
    await press(button(page, 'Undo'));
    expect(await input(page, CAPTION).inputValue()).toBe('Car');
    await press(button(page, /^Company/));
    await type(input(page, CAPTION), 'Firm');
    await press(menuOf(page, 'Firm'));
    await press(button(page, /^Move down$/));
    const colleague = await openPage({ ...running, width });
    await follow(link(colleague, clientId), `Configuration of ${clientId}`);
    await button(colleague, /^Company/).click();
    await mouse.type(input(colleague, 'Placeholder'), 'Where you work');
    await mouse.type(input(colleague, CAPTION), 'Employer');
    await button(colleague, 'Publish…').click();
    await confirm(colleague, mouse, 'Employer is the right word');
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText('Somebody else has published since you began').waitFor();
    await press(button(page, 'Merge…'));
    await page.getByText('Employer is the right word').waitFor();
    await press(page.getByLabel('Mine: Firm'));
    await press(button(page, 'Merge both changes'));
    await page.getByLabel('Reason').waitFor();
    await confirm(page, hands, 'Firm is shorter');
    await expect.poll(captions).toEqual(['Preferred contact mandatory', 'Firm', 'Car']);
    expect(await page.locator('.phone [placeholder="Where you work"]').count()).toBe(1);

    await press(link(page, 'History'));
    await screenShown(page, `History of ${clientId}`);
    const versions = page.locator('.version summary');
    await versions.filter({ hasText: 'Employer is the right word' }).waitFor();
    await press(versions.first());
    await page.getByText('"Employer" is now called "Firm".').last().waitFor();
    // A screen reader hears which column is which.
    expect(await versions.last().textContent()).toMatch(
      /^Effect on customers: .*Reason: .*Who: .*When: .*Version: 1/,
    );
    const version = (name: string) => page.getByRole('combobox', { name, exact: true });
    await choose(version('Compare'), '2');
    await choose(version('with'), '4');
    await press(button(page, /^Compare$/));
    const compared = page.getByRole('region', { name: 'Version 2 compared with 4' });
    await compared.getByText('"Company" is now called "Firm".').waitFor();
    await press(link(page, 'Close the comparison'));
    await press(button(page, /^Undo version 4…/));
    await confirm(page, hands, 'They were right');
    await page.locator('.version summary:focus').waitFor();
    await page.getByText('= version 3').waitFor();
    await page.getByText('Version 5 brought version 3 back.').waitFor();
    await button(page, /^Restore version 4…/).waitFor();
    // What was undone does not come back by a press of the same button.
    expect(await button(page, /^Undo version/).count()).toBe(0);

    const request = { ...PROMO_REQUEST, clientId, promoCode: 'SPRING26' };
    await service.applyPromoCode({ body: request, headers: called });
    await press(link(page, 'Codes'));
    await screenShown(page, `Codes of ${clientId}`);
    await type(input(page, 'User id'), 'Demo-User');
    await press(button(page, 'Search'));
    await page.getByText('No code found.').waitFor();
    await page.getByText('Refused codes of this client, last 24 hours').waitFor();
    // What those on call need for the data of this user.
    await press(button(page, /^How to hand over or erase/));
    const erase = new RegExp(`user erase ${clientId} .*--user Demo-User`);
    await page.getByRole('dialog').getByText(erase).waitFor();
    await press(button(page, 'Close'));
    await type(input(page, 'User id'), '');
    await type(input(page, 'Promo code'), 'spring26');
    await press(button(page, 'Search'));
    await page.getByText('1 code applied, 0 sent again.').waitFor();
    await page.getByText('the service does not know which codes exist').waitFor();
    const found = page.getByRole('row').filter({ hasText: 'SPRING26' });
    await found.getByRole('cell', { name: 'applied' }).waitFor();
    await type(input(page, 'User id'), PROMO_REQUEST.userId);
    await type(input(page, 'Promo code'), 'SPR1NG26');
    await press(button(page, 'Search'));
    await page.getByText('other codes of this user: SPRING26').waitFor();
    const imported = { clientId, promoCode: 'SPR1NG26', importedAt: new Date().toISOString() };
    await service.putPromoEvent(appliedItem(PROMO_REQUEST.userId, imported));
    await press(button(page, 'Search'));
    await page.getByRole('cell', { name: 'applied elsewhere, imported' }).waitFor();
    // The App-Id of the old app is replaced.
    await press(link(page, 'Access'));
    await screenShown(page, `Access of ${clientId}`);
    await page.getByText('This is the last App-Id').waitFor();
    await type(page.getByLabel('Name of the new App-Id'), 'iOS 4');
    await press(button(page, 'Add an App-Id'));
    const newAppId = await appIdShown(page);
    await page.getByRole('row', { name: 'iOS 4' }).waitFor();
    // A leaked one is found without anything that is sent.
    const sent: string[] = [];
    const onRequest = (request: Request) => sent.push(request.url());
    page.on('request', onRequest);
    await type(page.getByLabel(/^Find an App-Id/), newAppId);
    await page.getByRole('row', { name: 'iOS 4' }).and(page.locator('[aria-current]')).waitFor();
    await page.getByText(/that you look for is iOS 4, [0-9a-f]{8}, which is marked/).waitFor();
    await type(page.getByLabel(/^Find an App-Id/), `${newAppId}x`);
    await page.getByText('This client does not have the App-Id that you look for.').waitFor();
    expect(sent).toEqual([]);
    page.off('request', onRequest);
    await press(button(page, 'Rename… iOS 4'));
    await type(input(page, 'Name'), 'iOS 4.1');
    await press(button(page, 'Name it'));
    await page.getByRole('row', { name: 'iOS 4.1' }).waitFor();
    await press(button(page, 'Look for their last uses'));
    await expect.poll(() => page.getByText('counting…').count()).toBe(0);
    await press(button(page, 'Revoke… iOS 3'));
    await page.getByText('Apps that send it are refused').waitFor();
    await press(button(page, /^Revoke$/));
    await page.getByText('Done. It takes effect by').waitFor();
    await press(button(page, 'Close'));
    await page.getByRole('row', { name: 'iOS 3' }).waitFor({ state: 'detached' });
    for (const [appId, status] of [
      [oldAppId, 401],
      [newAppId, 200],
    ] as const) {
      const headers = { 'App-Id': appId };
      expect((await service.getConfig({ body: { clientId }, headers })).status).toBe(status);
    }
    await press(link(page, 'Clients'));
    await press(button(page, /^Leave$/));
    await screenShown(page, 'Clients');

    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.getByRole('alert').waitFor();
  },
);
