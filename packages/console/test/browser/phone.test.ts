import { storedFields } from 'customer-data-api/testing/configurations';
import { checkAnswers, fieldsFor } from 'customer-data-api-sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startConsoleInChromium } from './console-in-chromium.ts';
import { screenShown } from './screens.ts';

test('for any configuration, the phone shows the fields that getConfig answers, and permits what its rules do', async () => {
  await using running = await startConsoleInChromium();
  const { service, browser, console } = running;
  const page = await browser.newPage();
  await page.goto(console.url);
  const answer = fc.string({ unit: 'grapheme', maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(storedFields, fc.infiniteStream(answer), async (fields, answers) => {
      const item = { clientId: 'any', appIds: new Set(['demo-app-key']), fields, lastFieldId: 9 };
      // Some values cannot be stored.
      await service.putConfig(item).catch(() => fc.pre(false));
      const { body } = await service.getConfig({ body: { clientId: 'any' } });
      for (const client of ['other', 'any']) {
        await page.goto(`${new URL(console.url).origin}/#/clients/${client}`);
        await screenShown(page, `Configuration of ${client}`);
      }
      for (const name of ['Registration', 'Profile']) {
        await page.getByRole('button', { name, exact: true }).click();
        const served = fieldsFor(body.data, name === 'Profile' ? 'profile' : 'register');
        const shown = page.locator('.phone customer-data-field');
        expect(
          await shown.evaluateAll((all) => all.map((one) => Object(one).answers[0].length)),
        ).toEqual(served.map(({ inputs }) => inputs.length));
        const captions = await shown
          .locator('legend')
          .evaluateAll((all) => all.map((one) => one.firstChild?.textContent));
        expect(captions).toEqual(served.map(({ fieldName }) => fieldName));
        for (const [index, field] of served.entries()) {
          const inputs = shown.nth(index).locator('input, select');
          const entered: string[] = [];
          for (const [at, { subType, ...input }] of field.inputs.entries()) {
            const text = answers.next().value;
            const control = inputs.nth(at);
            const index = text.length % ((input.optionsArray?.length ?? 0) + 1);
            await (subType === 'text' ? control.fill(text) : control.selectOption({ index }));
            entered.push(await control.inputValue());
          }
          const isAccepted = await shown.nth(index).evaluate((one) => Object(one).check());
          expect(isAccepted).toBe(checkAnswers(field, [entered]).length === 0);
        }
      }
    }),
    { numRuns: 30 },
  );
});
