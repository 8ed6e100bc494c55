import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Console } from '../../server/server.ts';

const AXE = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));

interface Options {
  readonly console: Pick<Console, 'url'>;
  readonly browser: Browser;
  readonly width?: number;
  /** The window's browser, if another window has opened that. */
  readonly context?: BrowserContext | undefined;
}

/**
 * Opens the console in a window. Each state in which the test acts, and the last one, must be
 * accessible at this width, as far as axe can tell, or the test fails.
 */
export async function openPage({
  console,
  browser,
  width = 1280,
  context,
}: Options): Promise<Page> {
  const viewport = { width, height: 900 };
  // The policy of the page forbids any other script.
  const options = { viewport, bypassCSP: true, reducedMotion: 'reduce' } as const;
  const own = context ?? (await browser.newContext(options));
  if (!context) await own.addInitScript({ path: AXE });
  const page = await own.newPage();
  const flaws: string[] = [];
  const check = async () => {
    try {
      flaws.push(...(await flawsOf(page)));
    } catch (error) {
      // A navigation ends a state: the next one is checked instead.
      if (!/context was destroyed/.test(String(error))) throw error;
    }
  };
  // Playwright calls it before each action.
  await page.addLocatorHandler(page.locator('body'), check, { noWaitAfter: true });
  onTestFinished(async () => {
    if (page.isClosed()) return;
    await check();
    await page.close();
    expect(flaws).toEqual([]);
  });
  await page.goto(console.url);
  return page;
}

/** The states that were checked, and the screens that were in dark. */
const checked = new Set<string>();
const checkedInDark = new Set<string>();

/**
 * Returns what is wrong with a state, unless one like it was checked: in light, and once per screen
 * in dark, too.
 */
async function flawsOf(page: Page): Promise<string[]> {
  const elements = await page.evaluateHandle(elementsOf);
  const state = `${page.viewportSize()?.width} ${await elements.evaluate(({ outline }) => outline)}`;
  if (checked.has(state)) return [];
  const flaws: string[] = [];
  const [screen] = new URL(page.url()).hash.replace(/clients\/[^/?]+/, 'client').split('?');
  const inDark = `${page.viewportSize()?.width} ${screen}`;
  const themes = {
    light: undefined,
    ...(!checkedInDark.has(inDark) && { dark: ['color-contrast'] }),
  };
  for (const [colorScheme, rules] of Object.entries(themes)) {
    await page.emulateMedia({ colorScheme: colorScheme as 'light' });
    const found = await elements.evaluate(async ({ repeated }, runOnly) => {
      const options = { resultTypes: ['violations'], ...(runOnly && { runOnly }) };
      const { violations } = await Object(window).axe.run({ exclude: repeated }, options);
      const { scrollWidth, clientWidth } = document.documentElement;
      return [
        ...violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
          nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
        ),
        ...(scrollWidth > clientWidth ? ['It scrolls sideways.'] : []),
      ];
    }, rules);
    flaws.push(...found.map((flaw) => `${page.url()}, ${colorScheme}: ${flaw}`));
  }
  checked.add(state);
  checkedInDark.add(inDark);
  return flaws;
}

/** Describes the elements of a page without texts, and finds those that are like a sibling. */
function elementsOf() {
  const repeated: Element[] = [];
  const outline = (element: Element): string => {
    const attributes = [...element.attributes].map(({ name, value }) =>
      /^(aria-(?!label|details)|class$|data-|role|type)/.test(name) ? `${name}=${value}` : name,
    );
    const parts = new Set<string>();
    for (const child of element.children) {
      const part = outline(child);
      // A name, such as that of a table, must not be that of a sibling.
      if (parts.has(part) && !child.hasAttribute('aria-label')) repeated.push(child);
      parts.add(part);
    }
    return `<${element.localName} ${attributes.sort().join(' ')}>${[...parts].join('')}</>`;
  };
  return { outline: outline(document.documentElement), repeated };
}
