import { shortened } from 'customer-data-api/configuration';
import type { Change } from './describe-changes.ts';

/** As many changes are shown one by one. */
const FEW = 25;
/** Of more, as many of one kind. */
const FEW_OF_A_KIND = 5;
/** The longest sentence. */
const CHARACTERS = 300;

/**
 * Describes changes in a few sentences that a person reads before a decision. If there are many,
 * losses come first, and those of one kind are counted.
 */
export function briefChanges(changes: readonly Change[]): string[] {
  const sentences = changes.map(({ sentence }) => shortened(sentence, CHARACTERS));
  if (changes.length <= FEW) return sentences;
  const kinds = Map.groupBy(changes.keys(), (index) => {
    const { more, isLoss } = changes[index] ?? {};
    return `${isLoss} ${more}`;
  });
  const lines = [...kinds.values()].flatMap((indexes) => {
    const { more = '', isLoss = false } = changes[indexes[0] ?? 0] ?? {};
    const shown = indexes.slice(0, FEW_OF_A_KIND).map((index) => sentences[index] ?? '');
    const left = indexes.length - shown.length;
    const rest = left > 0 ? [{ line: `${counting(left, more)}.`, changes: left, isLoss }] : [];
    return [...shown.map((line) => ({ line, changes: 1, isLoss })), ...rest];
  });
  const ordered = [
    ...lines.filter(({ isLoss }) => isLoss),
    ...lines.filter(({ isLoss }) => !isLoss),
  ];
  const left = ordered.slice(FEW).reduce((sum, line) => sum + line.changes, 0);
  const rest = left > 0 ? [`${counting(left, '… more changes')}.`] : [];
  return [...ordered.slice(0, FEW).map(({ line }) => line), ...rest];
}

/** Writes how many more: `"Colour": … and 4,990 more options are removed`. */
function counting(count: number, more: string): string {
  const words = more.includes('…') ? more : `… ${more}`;
  return words.replace('… ', `… and ${count.toLocaleString('en-US')} `);
}
