import { onUse } from 'customer-data-api/configuration';

/** The languages of spreadsheets whose months are known. */
const LANGUAGES = 'en de fr es it pt nl sv da nb fi pl cs hu ro tr el ru uk'.split(' ');

/** Spreadsheets shorten names, with and without a point. */
const beginning = (name: string) => name.toLowerCase().slice(0, 3);

/** The numbers of the months whose names begin alike: that of `jui` is 6 or 7. */
const months = onUse(() => {
  const found = new Map<string, Set<number>>();
  for (const language of LANGUAGES) {
    const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
    for (let month = 1; month <= 12; month++) {
      const name = beginning(format.format(Date.UTC(2026, month - 1)));
      found.set(name, (found.get(name) ?? new Set()).add(month));
    }
  }
  return found;
});

/** True if a name can be that of a month. One that no known language has can be that of any. */
export function mayNameMonth(name: string, month = 0): boolean {
  const numbers = months().get(beginning(name));
  return numbers === undefined ? 1 <= month && month <= 12 : numbers.has(month);
}
