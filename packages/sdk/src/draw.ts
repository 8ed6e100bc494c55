/*
 * Draws elements from a description. An element that is described again stays in the page with all
 * that a person has in it, and only what is described in another way is changed.
 */

/** An element as it should be. A property that it does not have is an attribute. */
export type Wanted = readonly [
  name: string,
  properties: Readonly<Record<string, unknown>>,
  ...children: Wanted[],
];

/** An element that was drawn. */
export interface Drawn {
  readonly element: HTMLElement;
  readonly properties: Wanted[1];
  readonly children: readonly Drawn[];
}

/** Draws the children of an element. What was drawn `before` may have been removed since. */
export function draw(
  parent: HTMLElement,
  before: readonly Drawn[],
  wanted: readonly Wanted[],
): Drawn[] {
  const present = before.filter(({ element }) => element.parentNode === parent);
  let previous: HTMLElement | undefined;
  const drawn = wanted.map(([name, properties, ...children]) => {
    const at = present.findIndex(({ element }) => element.localName === name);
    const [same] = at < 0 ? [] : present.splice(at, 1);
    const element = same?.element ?? document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (value === same?.properties[key]) continue;
      if (key in element) Object.assign(element, { [key]: value });
      else element.setAttribute(key, String(value));
    }
    const inside = draw(element, same?.children ?? [], children);
    if (!same && previous) previous.after(element);
    else if (!same) parent.prepend(element);
    previous = element;
    return { element, properties, children: inside };
  });
  for (const { element } of present) element.remove();
  return drawn;
}
