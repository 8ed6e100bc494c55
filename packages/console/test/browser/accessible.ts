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
  page.setDefaultTimeout(30_000);
  const flaws: string[] = [];
  const check = async () => void flaws.push(...(await flawsOf(page)));
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

/** The elements that were checked: each as it is, where it is, in a window of a width. */
const checked = new Set<string>();

/**
 * Returns what is wrong with a state in both themes. Elements are left out that are as they were
 * when they were checked in the same place.
 */
async function flawsOf(page: Page): Promise<string[]> {
  const tags = await page.evaluate(tagsOf);
  const known = keysOf(tags).map((key) => isKnown(`${page.viewportSize()?.width} ${key}`));
  if (known[0]) return [];
  const leftOut = tags.flatMap(({ parent }, index) =>
    known[index] && !known[parent] ? [index] : [],
  );
  const flaws: string[] = [];
  for (const [colorScheme, rules] of Object.entries({
    light: undefined,
    dark: ['color-contrast'],
  })) {
    await page.emulateMedia({ colorScheme: colorScheme as 'light' });
    const found = await page.evaluate(
      async ({ leftOut, runOnly }) => {
        const { axe, described } = Object(window);
        const options = { resultTypes: ['violations'], ...(runOnly && { runOnly }) };
        const exclude = leftOut.map((index) => described[index]);
        const { violations } = await axe.run({ exclude }, options);
        const { scrollWidth, clientWidth } = document.documentElement;
        return [
          ...violations.flatMap(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
            nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
          ),
          ...(scrollWidth > clientWidth ? ['It scrolls sideways.'] : []),
        ];
      },
      { leftOut, runOnly: rules },
    );
    flaws.push(...found.map((flaw) => `${page.url()}, ${colorScheme}: ${flaw}`));
  }
  return flaws;
}

/** Returns whether an element was checked, and takes it for checked from now on. */
function isKnown(key: string): boolean {
  const known = checked.has(key);
  checked.add(key);
  return known;
}

/** A start tag without texts, and the index of the parent's. */
interface Tag {
  readonly tag: string;
  readonly parent: number;
}

/** Describes the elements of a page in the order of the document, and keeps them there. */
function tagsOf(): Tag[] {
  const elements = [...document.querySelectorAll('*')];
  Object.assign(window, { described: elements });
  const indexes = new Map(elements.map((element, index) => [element, index]));
  return elements.map((element) => {
    const attributes = [...element.attributes].map(({ name, value }) =>
      /^(aria-(?!label|details)|class$|data-|role|type)/.test(name) ? `${name}=${value}` : name,
    );
    const tag = `${element.localName} ${attributes.sort().join(' ')}`;
    return { tag, parent: (element.parentElement && indexes.get(element.parentElement)) ?? -1 };
  });
}

const numbers = new Map<string, number>();

/** The number of a text: the same for each text that is equal. */
function numberOf(...parts: readonly unknown[]): number {
  const text = JSON.stringify(parts);
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  return number;
}

/**
 * Returns a key for each element: what is in it, and its place, which is each element that it is
 * in, with the start tags in that.
 */
function keysOf(tags: readonly Tag[]): string[] {
  const children = tags.map((): number[] => []);
  for (const [index, { parent }] of tags.entries()) children[parent]?.push(index);
  const contents: number[] = [];
  const distinct = (indexes: readonly number[], of: (index: number) => unknown) => [
    ...new Set(indexes.map(of)),
  ];
  // The children of an element come after it.
  for (const index of [...tags.keys()].reverse()) {
    contents[index] = numberOf(
      tags[index]?.tag,
      distinct(children[index] ?? [], (child) => contents[child]),
    );
  }
  const places: number[] = [];
  for (const [index, { parent }] of tags.entries()) {
    places[index] = numberOf(
      places[parent],
      tags[parent]?.tag,
      distinct(children[parent] ?? [], (child) => tags[child]?.tag),
    );
  }
  return tags.map((_, index) => `${places[index]} ${contents[index]}`);
}
