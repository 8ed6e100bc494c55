import { shortened } from '../text.ts';
import { type Effect, effectText, LEVELS, moreText } from './effect.ts';

/** Up to so many changes are listed one by one. */
const FEW = 25;
/** Beyond that, so many of each kind. */
const FEW_OF_A_KIND = 5;
/** The longest sentence. */
const CHARACTERS = 300;

/**
 * Describes effects in a few sentences that a person reads before a decision: harm first, then
 * losses. If there are many, those of one kind are counted.
 *
 * @param isAmongAll as for `effectText`.
 */
export function briefEffects(all: readonly Effect[], isAmongAll = false): string[] {
  const effects = LEVELS.toReversed().flatMap((level) => all.filter((one) => one.level === level));
  const sentenceOf = (one: Effect) => shortened(effectText(one, isAmongAll), CHARACTERS);
  if (effects.length <= FEW) return effects.map(sentenceOf);
  const kinds = Map.groupBy(effects, (one) => `${one.level} ${moreText(one)}`);
  const lines = [...kinds.values()].flatMap((ofKind) => {
    const shown = ofKind.slice(0, FEW_OF_A_KIND);
    const left = ofKind.length - shown.length;
    const [first] = ofKind;
    const rest =
      first && left > 0 ? [{ line: counting(left, moreText(first)), effects: left }] : [];
    return [...shown.map((one) => ({ line: sentenceOf(one), effects: 1 })), ...rest];
  });
  const left = lines.slice(FEW).reduce((sum, line) => sum + line.effects, 0);
  const rest = left > 0 ? [counting(left, '… more changes')] : [];
  return [...lines.slice(0, FEW).map(({ line }) => line), ...rest];
}

/** Writes how many more: `"Colour": … and 4,990 more options are removed.` */
function counting(count: number, more: string): string {
  return `${more.replace('… ', `… and ${count.toLocaleString('en-US')} `)}.`;
}
