export { briefEffects } from './effects/brief-effects.ts';
export { compare } from './effects/compare.ts';
export {
  type Effect,
  effect,
  effectSentence,
  effectText,
  harmIn,
  isNamedIn,
  isOfAccess,
  isOfCustomers,
  isOfRollout,
} from './effects/effect.ts';
export { optionHadValue } from './effects/field-effects.ts';
export type { EffectCode } from './effects/words.ts';
