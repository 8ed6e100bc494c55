import { type Parts, plainText, shortenedParts } from '../sentence.ts';
import {
  type EffectCode,
  type Facts,
  filled,
  type Level,
  OF_ACCESS,
  OF_CUSTOMERS,
  OF_ROLLOUT,
  WORDS,
} from './words.ts';

/** An effect of a change on a client and its customers. */
export interface Effect {
  readonly code: EffectCode;
  /** Plain data, which the words of the code format. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly level: Level;
  /** True if only the devices notice it that get the candidate of a rollout. */
  readonly isOfCandidate?: true;
  /** The number of effects that this one stands for, which are of its kind and not listed. */
  readonly count?: number;
}

/** Makes an effect. Its level is the usual one of its code, unless another is given. */
export function effect<TCode extends EffectCode>(
  code: TCode,
  facts: Facts<TCode>,
  level: Level = WORDS[code].level,
): Effect {
  return { code, facts, level };
}

/** True for an effect on who may call, App-Id by App-Id, and app client by app client. */
export function isOfAccess({ code }: Effect): boolean {
  return code in OF_ACCESS;
}

/** True for an effect on an App-Id or app client that a message names, as those of commands do. */
export function isNamedIn(message: string, effect: Effect): boolean {
  const { name } = effect.facts;
  const isOne = isOfAccess(effect) && name !== undefined;
  return isOne && message.split(/[^\w+]+/).includes(String(name));
}

/** True for an effect on a rollout as a whole. */
export function isOfRollout(
  one: Effect,
): one is Effect & { readonly code: keyof typeof OF_ROLLOUT } {
  return one.code in OF_ROLLOUT;
}

/** True for an effect that customers can notice. */
export function isOfCustomers({ code }: Effect): boolean {
  return code in OF_CUSTOMERS;
}

/** The longest sentence for a person. */
const CHARACTERS = 300;

/**
 * Writes an effect in a sentence for people, which is cut if it is very long.
 *
 * @param isAmongAll true beside effects on other devices: one on those with the candidate says so.
 */
export function effectSentence(one: Effect, isAmongAll = false): Parts {
  return shortenedParts(wordsOf(one, isAmongAll), CHARACTERS);
}

/** Writes an effect in full, for programs. */
export function effectText(one: Effect, isAmongAll = false): string {
  return plainText(wordsOf(one, isAmongAll));
}

function wordsOf({ code, facts, isOfCandidate, count }: Effect, isAmongAll: boolean) {
  const { text, more } = WORDS[code];
  const where = isOfCandidate && isAmongAll;
  const words = count === undefined ? text : more;
  return [...filled(words, { count, ...facts, where }), '.'];
}

/** Lists the harm among some effects. */
export function harmIn(effects: readonly Effect[]): Effect[] {
  return effects.filter(({ level }) => level === 'harm');
}
