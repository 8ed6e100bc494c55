/**
 * Finds the field that has a line, by the signs before the fields: nothing else can be relied on where the syntax is wrong.
 *
 * @returns the index of the field, and the text with null in its place.
 */
export function fieldAtLine(
  text: string,
  line: number,
): { index: number; without: string } | undefined {
  const lines = text.split('\n');
  const head = lines.findIndex((one) => /^fields:\s*(#.*)?\s*$/.test(one));
  const [, indent] =
    /^( *)-(?:\s|$)/.exec(lines.slice(head + 1).find((one) => /^\s*[^\s#]/.test(one)) ?? '') ?? [];
  if (head === -1 || indent === undefined) return undefined;
  // A dash may be on a line of its own.
  const startsField = (one: string) => `${one} `.replace('\r', ' ').startsWith(`${indent}- `);
  const starts = lines.flatMap((one, index) => (index > head && startsField(one) ? [index] : []));
  const index = starts.findLastIndex((start) => start < line);
  const start = starts[index];
  if (start === undefined) return undefined;
  const isAfter = (one: string, at: number) =>
    at > start && (starts.includes(at) || /^[\w"']/.test(one));
  const next = lines.findIndex(isAfter);
  const end = next === -1 ? lines.length : next;
  if (line > end) return undefined;
  const without = lines.map((one, at) => {
    if (at === start) return `${indent}- null`;
    return start < at && at < end ? '' : one;
  });
  return { index, without: without.join('\n') };
}
