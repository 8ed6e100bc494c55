import { plainText } from '../sentence.ts';
import { type Effect, effect } from './effect.ts';
import { filled, LEVELS, WORDS } from './words.ts';

/** The most effects of which each is listed. */
const FEW = 25;
/** The most of each kind that are listed beyond that. */
const FEW_OF_A_KIND = 5;

/**
 * Lists the few effects that a person reads before a decision: harm first, then losses. If there
 * are many of one kind, the last one stands for those that are not listed.
 */
export function briefEffects(all: readonly Effect[]): Effect[] {
  const effects = LEVELS.toReversed().flatMap((level) => all.filter((one) => one.level === level));
  if (effects.length <= FEW) return effects;
  const brief = [...Map.groupBy(effects, kindOf).values()].flatMap(([...ofKind]) => {
    const [first, ...others] = ofKind.splice(FEW_OF_A_KIND);
    return first ? [...ofKind, { ...first, count: 1 + others.length }] : ofKind;
  });
  const rest = brief.splice(FEW).reduce((sum, { count = 1 }) => sum + count, 0);
  return rest > 0 ? [...brief, effect('others', { count: rest })] : brief;
}

/** Tells which effects are counted together: those whose rest has the same words. */
function kindOf({ level, code, facts }: Effect): string {
  return `${level} ${plainText(filled(WORDS[code].more, facts))}`;
}
