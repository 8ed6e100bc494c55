/**
 * The effect on customers: nothing that they miss, a loss to some of them or of their answers, or
 * harm that is rarely intended. Reviews ask for harm, and an alarm reports it.
 */
export const LEVELS = ['neutral', 'loss', 'harm'] as const;
export type Level = (typeof LEVELS)[number];

/** Words an effect, and further ones of its kind. Facts are in braces. */
const wording =
  (level: Level) =>
  <const TText extends string>(text: TText, more = '… more changes') => ({ level, text, more });
const [neutral, loss, harm] = [wording('neutral'), wording('loss'), wording('harm')];

/** Changes of a client as a whole, in short, as an alarm tells them. */
const OF_CLIENT = {
  findingsRose: harm('The number of findings rose from {before} to {after}'),
  lockedOut: harm('The client is locked out'),
  appIdsReplaced: harm('The client lost all of its App-Ids'),
  opened: harm('The client accepts the tokens of another app client'),
  moreErrors: loss('The new configuration has {errors}, the live one {before}'),
  openedToAll: harm('The client accepts the tokens of all app clients'),
};

/** Changes of App-Ids, by their fingerprints, and of app clients, one by one. */
const OF_ACCESS = {
  appIdRemoved: loss('App-Id {name} is removed', '… more App-Ids are removed'),
  appIdAdded: neutral('App-Id {name} is added', '… more App-Ids are added'),
  allAccepted: neutral('App clients: all are accepted'),
  othersRefused: loss('App clients: others are no longer accepted'),
  appClientRemoved: loss('App client {name} is removed', '… more app clients are removed'),
  appClientAdded: neutral('App client {name} is added', '… more app clients are added'),
};

/** Changes that customers can notice. */
const OF_CUSTOMERS = {
  deleted: harm('The client is deleted'),
  caseSwitched: harm(
    'The case of promo codes {now}, so customers can apply promo codes again in another case',
  ),
  fieldsLost: harm('Of {fields} that apps get, {left} left{where}{removed}'),
  fieldHidden: harm(
    '{field} is no longer shown to customers{where}: {error}',
    '… more fields are no longer shown to customers',
  ),
  inputsExchanged: harm(
    '{field}: its inputs have changed places, so answers to one stand under the other{where}',
    '… more fields have inputs that changed places',
  ),
  listReplaced: neutral('fields was not a list, so apps got no fields. It is replaced'),
  languageAdded: neutral(
    'Phones in {language} switch to {language}{lack}',
    '… more languages appear',
  ),
  textsKept: neutral(
    'In {language}, {texts}: {names}',
    '… more languages keep texts whose originals change',
  ),
  fieldRemoved: loss(
    '{field} is removed. Customers keep their values, but no app shows them',
    '… more fields are removed',
  ),
  fieldAdded: neutral('{field} is added at position {position}: {kind}', '… more fields are added'),
  captionShared: loss(
    '{field} is in the list under the ids {ids}, each with answers of its own',
    '… more captions are in the list several times',
  ),
  fieldShown: neutral('{field} is shown to customers now'),
  captionChanged: loss('{field} is now called {after}'),
  kindChanged: loss('{field} changes from {before} to {after}; existing values may be invalid'),
  mandatory: neutral('{field} becomes mandatory'),
  optional: neutral('{field} becomes optional'),
  screensChanged: neutral('{field} is now shown {screens}'),
  repeatable: neutral('{field} can be added several times'),
  notRepeatable: loss('{field} can no longer be added several times; existing values stay'),
  copiesAccepted: neutral('{field}{input} accepts duplicate values'),
  copiesRefused: loss('{field}{input} no longer accepts duplicate values'),
  permitted: neutral('{field}{input} permits {characters}'),
  notPermitted: loss('{field}{input} no longer permits {characters}; existing values keep them'),
  lengthened: neutral('{field}{input} accepts {after} instead of {before}'),
  shortened: loss('{field}{input} accepts {after} instead of {before}; longer values stay'),
  inputRenamed: loss('{field}{input} is now called {after}'),
  inputKindChanged: loss(
    '{field}{input} changes from {before} to {after}; existing values may be invalid',
  ),
  inputAdded: neutral('{field}{input} is added: {kind}'),
  inputRemoved: loss('{field}{input} is removed. Customers keep its values, but no app shows them'),
  attributeChanged: neutral('{field}{input}: {name} is {after} instead of {before}'),
  optionRevalued: loss(
    '{field}{input}: option {option} has another value; customers who chose it keep {value}',
    '{field}: … more options have another value',
  ),
  optionRemoved: loss(
    '{field}{input}: option {option} is removed; customers who chose it keep the value',
    '{field}: … more options are removed',
  ),
  optionAdded: neutral(
    '{field}{input}: option {option} is added',
    '{field}: … more options are added',
  ),
  optionHadValue: loss(
    '{field}{input}: option {option} had the value {value}, which customers who chose it keep',
    '{field}: … more options had another value',
  ),
  optionRenamed: loss(
    '{field}{input}: option {option} is now called {after}',
    '{field}: … more options have another text',
  ),
  optionsReordered: neutral('{field}{input}: the options are reordered'),
  translated: neutral('{field}: {texts} added', '{field}: … more fields are translated'),
  notTranslated: loss(
    '{field}: its {texts} removed; customers see the original',
    '{field}: … more translations are removed',
  ),
  translationRemoved: loss(
    '{field}{input} in {language}: {text} is no longer translated; customers see {after}',
    '{field}: … more translations are changed',
  ),
  translationChanged: loss(
    '{field}{input} in {language}: {text} {verb} {after}{before}',
    '{field}: … more translations are changed',
  ),
  translationsRewritten: neutral('{field}: its translations are written differently'),
  ignoredChanged: neutral(
    '{field}: {name}, which no app reads, is {after}',
    '{field}: … more attributes that no app reads are changed',
  ),
  ignoredCounted: neutral('{field}: {count} more attributes that no app reads are changed'),
  languageChanged: neutral('The language of the texts is {after} instead of {before}'),
  reordered: neutral('The order of the fields is now {fields}'),
  lastFieldIdChanged: neutral('lastFieldId is {after} instead of {before}'),
};

/** The words of all effects. The runbook has a remedy for each that is harm. */
export const WORDS = { ...OF_CLIENT, ...OF_ACCESS, ...OF_CUSTOMERS };

/** The codes by which programs tell effects apart. */
export type EffectCode = keyof typeof WORDS;

type NamesIn<TText extends string> = TText extends `${string}{${infer TName}}${infer TRest}`
  ? TName | NamesIn<TRest>
  : never;

/** The facts of an effect, in words. It is named where it is, in a candidate, by who tells it. */
type Facts<TCode extends EffectCode> = Readonly<
  Record<Exclude<NamesIn<(typeof WORDS)[TCode]['text']>, 'where'>, string | number>
>;

/** An effect of a change on a client and its customers. */
export interface Effect {
  readonly code: EffectCode;
  readonly facts: Readonly<Record<string, string | number>>;
  readonly level: Level;
  /** True if only the devices notice it that get the candidate of a rollout. */
  readonly isOfCandidate?: true;
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

/** True for an effect that customers can notice. */
export function isOfCustomers({ code }: Effect): boolean {
  return code in OF_CUSTOMERS;
}

/**
 * Writes an effect in a sentence.
 *
 * @param isAmongAll true beside effects on other devices: one on those with the candidate says so.
 */
export function effectText({ code, facts, isOfCandidate }: Effect, isAmongAll = false): string {
  const where = isOfCandidate && isAmongAll ? ' in the candidate' : '';
  return `${filled(WORDS[code].text, { ...facts, where })}.`;
}

/** Names further effects of the same kind: `"Colour": … more options are removed`. */
export function moreText({ code, facts }: Effect): string {
  return filled(WORDS[code].more, facts);
}

function filled(text: string, facts: Effect['facts']): string {
  return text.replace(/\{(\w+)\}/g, (_, name) => String(facts[name]));
}

/** Lists the harm among some effects. */
export function harmIn(effects: readonly Effect[]): Effect[] {
  return effects.filter(({ level }) => level === 'harm');
}
