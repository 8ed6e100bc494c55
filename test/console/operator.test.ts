import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROMO_REQUEST } from '../support/service.ts';
import { type ConsoleInChromium, startConsoleInChromium } from './console-in-chromium.ts';

/* What an operator does from the first field to the code of a customer. */

let running: ConsoleInChromium;
beforeAll(async () => {
  running = await startConsoleInChromium();
});
afterAll(() => running[Symbol.asyncDispose]());

/** How an operator uses a control. */
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
function keyboardOf(page: Page): Hands {
  async function reach(control: Locator) {
    await control.waitFor();
    for (let presses = 0; presses < 150; presses++) {
      if (await control.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`The keyboard cannot reach ${control}.`);
  }
  return {
    press: async (control) => {
      await reach(control);
      const isBox = await control.evaluate((element) =>
        element.matches('[type=checkbox], [type=radio]'),
      );
      await page.keyboard.press(isBox ? 'Space' : 'Enter');
    },
    type: async (input, text) => {
      await reach(input);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    choose: async (select, option) => {
      await reach(select);
      await page.keyboard.type(option);
    },
  };
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const input = (page: Page, name: string) => page.getByLabel(name, { exact: true });

async function publish(page: Page, { press, type }: Hands, message: string): Promise<void> {
  await press(button(page, 'Publish…'));
  await type(page.getByLabel('Why?'), message);
  await press(button(page, 'Publish').last());
  await page.getByText(/^Published version/).waitFor();
  await press(button(page, 'Close'));
}

test.each([
  ['the mouse', 1280, () => mouse],
  ['the keyboard alone', 1280, keyboardOf],
  ['a window of 390 pixels', 390, () => mouse],
] as const)(
  'with %s, from the first field to the code of a customer',
  async (name, width, handsOf) => {
    const clientId = name.replaceAll(' ', '-');
    const appIds = new Set(['demo-app-key']);
    const { service, browser, console } = running;
    await service.putConfig({ clientId, appIds, fields: [], lastFieldId: 0 });
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    const hands = handsOf(page);
    const { press, type, choose } = hands;
    await page.goto(console.url);
    await press(page.getByRole('link', { name: clientId }));

    await press(button(page, /^Text$/));
    await type(input(page, 'Caption'), 'Company');
    await type(input(page, 'Longest answer, in characters'), '5');
    await press(button(page, /^Dropdown$/));
    await type(input(page, 'Caption'), 'Preferred contact');
    await press(input(page, 'Customers must fill it in'));
    await type(input(page, 'Options, one per line'), 'E-mail\nTelephone');
    await press(button(page, /^Two inputs$/));
    await type(input(page, 'Caption'), 'Car');
    await choose(page.getByRole('combobox', { name: 'Kind', exact: true }).nth(1), 'Dropdown');
    await type(input(page, 'Options, one per line'), 'Fiat');

    // The phone shows what customers will get, and can be filled in.
    const phone = page.getByRole('region', { name: 'Phone: Registration' });
    await expect
      .poll(() => phone.locator('legend').allTextContents())
      .toEqual(['Company', 'Preferred contact required', 'Car']);
    await type(phone.getByRole('textbox').first(), 'too long');
    await phone.getByText('Please enter at most 5 characters.').waitFor();
    await press(button(page, 'Continue'));
    await phone.getByText('The app would not accept these answers.').waitFor();

    await press(button(page, 'Undo'));
    await phone.getByText(/^Left out because of its errors: Car$/).waitFor();
    await press(button(page, 'Redo'));
    await page.reload();
    await publish(page, hands, 'The first fields');
    const { body } = await service.getConfig({ body: { clientId } });
    expect(body.data.fields.map(({ fieldName }: { fieldName: string }) => fieldName)).toEqual([
      'Company',
      'Preferred contact',
      'Car',
    ]);

    // Meanwhile, a colleague changes the same field.
    const colleague = await (await browser.newContext()).newPage();
    await colleague.goto(console.url);
    await colleague.getByRole('link', { name: clientId }).click();
    await button(colleague, /^Company/).click();
    await mouse.type(input(colleague, 'Caption'), 'Employer');
    await mouse.type(input(colleague, 'Placeholder'), 'Where you work');
    await publish(colleague, mouse, 'Employer is the right word');

    await press(button(page, /^Company/));
    await type(input(page, 'Caption'), 'Firm');
    await press(button(page, /^Move down: Firm/));
    await press(button(page, 'Publish…'));
    await page.getByText('Employer is the right word').waitFor();
    await press(page.getByLabel('Mine: Firm'));
    await press(button(page, 'Merge both changes'));
    await type(page.getByLabel('Why?'), 'Firm is shorter');
    await press(button(page, 'Publish').last());
    await page.getByText(/^Published version 4/).waitFor();
    await press(button(page, 'Close'));
    await expect
      .poll(() => phone.locator('legend').allTextContents())
      .toEqual(['Preferred contact required', 'Firm', 'Car']);
    expect(await phone.getByPlaceholder('Where you work').count()).toBe(1);

    await press(page.getByRole('link', { name: 'History' }));
    await press(button(page, 'Undo the last change…'));
    await type(page.getByLabel('Why?'), 'They were right');
    await press(button(page, 'Restore').last());
    await page.getByText(/^Published version 5/).waitFor();
    await press(button(page, 'Close'));
    await page.getByText('restores version 3').waitFor();

    await service.applyPromoCode({ body: { ...PROMO_REQUEST, clientId, promoCode: 'SPRING26' } });
    await press(page.getByRole('link', { name: 'Codes' }));
    await type(input(page, 'User id'), 'Demo-User');
    await press(button(page, 'Search'));
    await page.getByText('Did you mean one of these?').waitFor();
    await page.getByText('SPRING26 was applied to demo-user.').waitFor();

    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect(scrollWidth).toBe(clientWidth);
    await context.close();
  },
);
