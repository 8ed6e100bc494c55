import { fileURLToPath } from 'node:url';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { PIZZA } from 'customer-data-api/testing/configurations';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { parse } from 'yaml';
import { startConsoleInChromium } from './console-in-chromium.ts';

/* Draws the pictures of docs/console.md, if PICTURES=1 says so. */

const FOLDER = new URL('../../../../docs/console/', import.meta.url);
const REASONS = { 'Your car': 'Friendlier', 'Your dream car': 'For the spring campaign' };

test.runIf(process.env.PICTURES)('the pictures of the document', async () => {
  await using running = await startConsoleInChromium();
  const { service, browser, console } = running;
  const [pizza, number, car] = parse(PIZZA).fields;
  const [appClient = ''] = service.outputs.UserPoolClientId.split(',');
  const userPoolClientIds = new Set([appClient]);
  const translations = { de: { fieldName: 'Lieblingspizza' } };
  const clients = {
    pizza: { fields: [car, { ...pizza, translations }, number], language: 'en' },
    bakery: { fields: [number], appIds: 'one-app-key,another-app-key' },
    florist: { fields: [{ ...number, mandatory: 'yes' }, car] },
  };
  for (const [clientId, item] of Object.entries(clients)) {
    const appIds = new Set(['demo-app-key']);
    await service.putConfig({ clientId, lastFieldId: 3, userPoolClientIds, appIds, ...item });
  }
  // More codes on some days than on others.
  for (let number = 0; number < 80; number++) {
    const days = ((number * number) % 37) / 2;
    const Item = marshall({
      clientId: 'pizza',
      eventId: `customer-${number}#SPRING26#applied`,
      userId: `customer-${number}`,
      promoCode: 'SPRING26',
      kind: number % 7 === 3 ? 'repeated' : 'applied',
      source: 'profile',
      receivedAt: new Date(Date.now() - days * 24 * 3_600_000).toISOString(),
    });
    await service.dynamodb.send(
      new PutItemCommand({ TableName: service.outputs.PromoEventsTableName, Item }),
    );
  }
  const page = await browser.newPage({ reducedMotion: 'reduce', colorScheme: 'light' });
  const draw = async (name: string, width: number, height: number) => {
    await page.setViewportSize({ width, height });
    await page.getByText(/Loading…|Checking…/).waitFor({ state: 'detached' });
    await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, FOLDER)) });
  };
  const go = (hash: string) => page.goto(`${new URL(console.url).origin}/${hash}`);
  await page.goto(console.url);
  await page.getByRole('link', { name: 'pizza' }).waitFor();
  await go('#/clients/pizza');
  for (const [caption, reason] of Object.entries(REASONS)) await publish(page, caption, reason);
  await go('#/');
  await page.getByRole('link', { name: 'pizza' }).waitFor();
  await draw('clients', 1280, 600);
  await go('#/clients/pizza/history?compare=1..3');
  await page.getByRole('heading', { name: 'Version 1 compared with 3' }).waitFor();
  await page.getByText('"Car" is now called "Your car".').first().waitFor();
  await draw('history', 1280, 760);
  await go('#/clients/pizza/codes');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('table').first().waitFor();
  await draw('codes', 1280, 720);

  await go('#/clients/pizza');
  await page.locator('.field .name').first().click();
  await page.getByLabel('Caption', { exact: true }).fill('The car of your dreams');
  await page
    .getByRole('region', { name: /^Phone/ })
    .getByRole('button', { name: 'Continue' })
    .click();
  await draw('editor', 1280, 860);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole('button', { name: 'Phone' }).click();
  await draw('narrow', 390, 800);
  await page.getByRole('button', { name: 'Close the phone' }).click();
  await page.setViewportSize({ width: 1280, height: 640 });
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByLabel('Reason').fill('What the posters say');
  await draw('publish', 1280, 640);
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('.field .name').nth(1).click();
  await page.getByRole('button', { name: /^German/ }).click();
  await page.getByLabel('Caption (German)').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await draw('languages', 1280, 860);
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByLabel('To a few devices first').check();
  await page.getByLabel('Share of all').fill('20');
  await page.getByLabel(/^Devices that get it/).fill('38400000-8cf0-11bd-b23e-10b96e40000d');
  await page.getByRole('button', { name: 'Start the rollout' }).click();
  await page.getByText('The rollout has started as').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { name: /^Rollout to/ }).scrollIntoViewIfNeeded();
  await draw('rollout', 1280, 860);
});

async function publish(page: Page, caption: string, reason: string): Promise<void> {
  const input = page.getByLabel('Caption', { exact: true });
  if (!(await input.isVisible())) await page.locator('.field .name').first().click();
  await input.fill(caption);
  await page.getByRole('button', { name: 'Publish…' }).click();
  await page.getByLabel('Reason').fill(reason);
  await page.getByRole('button', { name: 'Publish' }).last().click();
  await page.getByText(/^Published version/).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
}
