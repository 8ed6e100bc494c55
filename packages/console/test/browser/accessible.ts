import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Checks a page with axe in both themes, and that nothing needs sideways scrolling. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.getByText('Loading…').waitFor({ state: 'detached' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = await page.evaluate(async () => {
      const { violations } = await Object(window).axe.run();
      return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [
        id,
        ...nodes.map(({ html }) => html.slice(0, 120)),
      ]);
    });
    expect(found, colorScheme).toEqual([]);
  }
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(scrollWidth).toBe(clientWidth);
}
