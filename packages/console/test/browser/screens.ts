import type { Locator, Page } from 'playwright-core';

/** Waits for a screen by its heading. Until that is shown, the screen before can still be read. */
export async function screenShown(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor();
}

/** Follows a link to a screen with this heading. */
export async function follow(link: Locator, heading: string): Promise<void> {
  await link.click();
  await screenShown(link.page(), heading);
}

/** The button that opens the menu of a field. */
export function menuOf(page: Page, caption: string): Locator {
  return page.locator('summary').filter({ hasText: `Actions: ${caption}` });
}

/** Does something with a field by its menu. */
export async function act(page: Page, caption: string, action: string): Promise<void> {
  await menuOf(page, caption).click();
  await page.getByRole('button', { name: action, exact: true }).click();
}
