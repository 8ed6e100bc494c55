import { shortened } from '../text.ts';
import { type Effect, LEVELS } from './effect.ts';

/** Up to so many changes are listed one by one. */
const FEW = 25;
/** Beyond that, so many of each kind. */
const FEW_OF_A_KIND = 5;
/** The longest sentence. */
const CHARACTERS = 300;

/**
 * Describes effects in a few sentences that a person reads before a decision: harm first, then
 * losses. If there are many, those of one kind are counted.
 */
export function briefEffects(all: readonly Effect[]): string[] {
  const effects = LEVELS.toReversed().flatMap((level) => all.filter((one) => one.level === level));
  const sentences = effects.map(({ sentence }) => shortened(sentence, CHARACTERS));
  if (effects.length <= FEW) return sentences;
  const kinds = Map.groupBy(effects.keys(), (index) => {
    const { more, level } = effects[index] ?? {};
    return `${level} ${more}`;
  });
  const lines = [...kinds.values()].flatMap((indexes) => {
    const { more = '' } = effects[indexes[0] ?? 0] ?? {};
    const shown = indexes.slice(0, FEW_OF_A_KIND).map((index) => sentences[index] ?? '');
    const left = indexes.length - shown.length;
    const rest = left > 0 ? [{ line: `${counting(left, more)}.`, effects: left }] : [];
    return [...shown.map((line) => ({ line, effects: 1 })), ...rest];
  });
  const left = lines.slice(FEW).reduce((sum, line) => sum + line.effects, 0);
  const rest = left > 0 ? [`${counting(left, '… more changes')}.`] : [];
  return [...lines.slice(0, FEW).map(({ line }) => line), ...rest];
}

/** Writes how many more: `"Colour": … and 4,990 more options are removed`. */
function counting(count: number, more: string): string {
  const words = more.includes('…') ? more : `… ${more}`;
  return words.replace('… ', `… and ${count.toLocaleString('en-US')} `);
}
