import { languageName } from '../configuration/check-translations.ts';
import { entryOf, type FieldKind, type InputKind, type InputName } from '../configuration/kinds.ts';
import { type RolloutShare, shareText } from '../configuration/rollout.ts';
import { joined, type Parts, say } from '../sentence.ts';
import { counted } from '../text.ts';

/* The words of effects, and the formats of their facts. A browser runs them, too. */

/**
 * The effect on customers: nothing that they miss, a loss to some of them or of their answers, or
 * harm that is rarely intended. Reviews ask for harm, and an alarm reports it.
 */
export const LEVELS = ['neutral', 'loss', 'harm'] as const;
export type Level = (typeof LEVELS)[number];

/** Words an effect, and so many further ones of its kind. Facts are in braces. */
const wording =
  (level: Level) =>
  <const TText extends string>(text: TText, more = '… more changes') => ({
    level,
    text,
    more: more.replace('…', '… and {count}'),
  });
const [neutral, loss, harm] = [wording('neutral'), wording('loss'), wording('harm')];

/** Changes of a client as a whole, in short, as an alarm tells them. */
const OF_CLIENT = {
  findingsRose: harm('The number of findings rose from {before} to {after}'),
  lockedOut: harm('The client is locked out'),
  appIdsReplaced: harm('The client lost all of its App-Ids'),
  opened: harm('The client accepts the tokens of another app client'),
  moreErrors: harm('The new configuration has {newErrors}, the live one {liveErrors}'),
  openedToAll: harm('The client accepts the tokens of all app clients'),
};

/** Changes of App-Ids, by their fingerprints, and of app clients, one by one. */
export const OF_ACCESS = {
  appIdRemoved: loss('App-Id {name} is removed', '… more App-Ids are removed'),
  appIdAdded: neutral('App-Id {name} is added', '… more App-Ids are added'),
  allAccepted: neutral('App clients: all are accepted'),
  othersRefused: loss('App clients: others are no longer accepted'),
  appClientRemoved: loss('App client {name} is removed', '… more app clients are removed'),
  appClientAdded: neutral('App client {name} is added', '… more app clients are added'),
};

/** Changes of a rollout. `rolloutEnded`: other fields than the candidate's are live after it. */
export const OF_ROLLOUT = {
  rolloutStarted: neutral('Rollout started: {share}'),
  rolloutWidened: neutral('Rollout widened: {share}{hasNewCandidate}'),
  rolloutChanged: neutral('Rollout changed: {share}{hasNewCandidate}'),
  rolloutFinished: neutral('Rollout finished'),
  rolloutStopped: neutral('Rollout stopped'),
  rolloutEnded: neutral('Rollout ended'),
};

/** Changes that customers can notice. */
export const OF_CUSTOMERS = {
  deleted: harm('The client is deleted'),
  caseSwitched: harm(
    'The case of promo codes {ignored}, so customers can apply promo codes again in another case',
  ),
  fieldsLost: harm('Of {served} that apps get, {left} left{where}{removed}'),
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
    'Phones in {language} switch to {language}{missing}',
    '… more languages appear',
  ),
  textsKept: neutral('In {language}, {kept}', '… more languages keep texts whose originals change'),
  fieldRemoved: loss(
    '{field} is removed. Customers keep their values, but no app shows them',
    '… more fields are removed',
  ),
  fieldAdded: neutral(
    '{field} is added at position {position}: {kind}, {mandatory}, {shown}',
    '… more fields are added',
  ),
  fieldShown: neutral('{field} is shown to customers now'),
  captionChanged: loss('{field} is now called {after}'),
  captionRemoved: loss('{field} is now without a caption'),
  kindChanged: loss('{field} changes from {former} to {kind}; existing values may be invalid'),
  mandatory: neutral('{field} becomes mandatory'),
  optional: neutral('{field} becomes optional'),
  screensChanged: neutral('{field} is now shown {screens}'),
  repeatable: neutral('{field} can be added several times'),
  notRepeatable: loss('{field} can no longer be added several times; existing values stay'),
  copiesAccepted: neutral('{field}{input} accepts duplicate values'),
  copiesRefused: loss('{field}{input} no longer accepts duplicate values'),
  permitted: neutral('{field}{input} permits {characters}'),
  notPermitted: loss('{field}{input} no longer permits {characters}; existing values keep them'),
  lengthened: neutral('{field}{input} accepts {most} instead of {before}'),
  shortened: loss('{field}{input} accepts {most} instead of {before}; longer values stay'),
  inputRenamed: loss('{field}{input} is now called {after}'),
  inputKindChanged: loss(
    '{field}{input} changes from {former} to {kind}; existing values may be invalid',
  ),
  inputAdded: neutral('{field}{input} is added: {kind}'),
  inputRemoved: loss('{field}{input} is removed. Customers keep its values, but no app shows them'),
  attributeChanged: neutral('{field}{input}: {attribute} is {after} instead of {before}'),
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
    '{field}{input} in {language}: {text} is no longer translated; customers see {sees}',
    '{field}: … more translations are changed',
  ),
  translationChanged: loss(
    '{field}{input} in {language}: {changed} {sees}{saw}',
    '{field}: … more translations are changed',
  ),
  languageChanged: neutral('The language of the texts is {tag} instead of {formerTag}'),
  reordered: neutral('The order of the fields is now {fields}'),
  lastFieldIdChanged: neutral('lastFieldId is {after} instead of {before}'),
  others: neutral('… and {count} more changes'),
};

/** The words of all effects. The runbook has a remedy for each that is harm. */
export const WORDS = { ...OF_CLIENT, ...OF_ACCESS, ...OF_ROLLOUT, ...OF_CUSTOMERS };

/** The codes by which programs tell effects apart. */
export type EffectCode = keyof typeof WORDS;

/** A field, as people tell it from others: by its caption, or else by its id, if it has one. */
export interface FieldFact {
  readonly caption?: string;
  readonly id?: string | undefined;
}

/** The first ones of a list, and how many more there are. */
export interface Listed<T> {
  readonly first: readonly T[];
  readonly more: number;
}

/** A value as it is written; undefined if there is none. */
export type Written = string | undefined;

/** A text that can be translated: an attribute, or an option by its own text. */
interface TextFact {
  readonly name: string;
  readonly option?: Written;
  /** True for an option that customers could not choose before. */
  readonly isNew?: boolean;
}

/** The languages of texts, and how many there are. */
interface TextCount {
  readonly language: string;
  readonly count: number;
}

const SCREENS: Readonly<Record<string, string>> = {
  register: 'at registration',
  profile: 'in the profile',
};
/** The screens of a field. */
export type Screens = readonly string[];

/** The screens and options of a field that is shown, or the error for which it is not. */
interface ShownFact {
  readonly error: string | undefined;
  readonly screens: Screens;
  readonly options: Listed<Written>;
}

const CHARACTERS = { alpha: 'letters', numbers: 'digits', symbols: 'symbols' };

const PLACES: Readonly<Record<InputName, string>> = { subFieldA: 'first', subFieldB: 'second' };

const KINDS: Readonly<Record<FieldKind | InputKind, string>> = {
  text: 'text',
  drop: 'dropdown',
  combo: 'combination',
};

const ATTRIBUTES: Readonly<Record<string, string>> = {
  addButtonText: 'the text of the button that adds an answer',
  fieldName: 'the caption',
  maxChars: 'the longest answer',
  placeHolderText: 'the placeholder',
};

/** The formats of facts by their names. Any other fact is a value or a number. */
const FORMATS = {
  field,
  input: (input: InputName | undefined) => (input ? [` (${PLACES[input]} input)`] : []),
  newErrors: (count: number) => [counted(count, 'error')],
  liveErrors: (count: number) => [counted(count, 'error')],
  share: (share: Omit<RolloutShare, 'id'>) => [shareText(share)],
  hasNewCandidate: (isNew: boolean) => (isNew ? [', with another candidate'] : []),
  ignored: (isIgnored: boolean) => [isIgnored ? 'no longer counts' : 'counts now'],
  served: (count: number) => [counted(count, 'field')],
  left: (count: number) => [`${count || 'none'} ${count > 1 ? 'are' : 'is'}`],
  removed: (fields: Listed<FieldFact>) =>
    fields.first.length > 0 ? ['; removed: ', ...list(fields, field)] : [],
  where: (isOfCandidate: boolean) => (isOfCandidate ? [' in the candidate'] : []),
  language: (tag: string) => [languageName(tag)],
  tag: language,
  formerTag: language,
  missing: ({ language, count, of }: TextCount & { readonly of: number }) => {
    const others = language ? `in ${languageName(language)}` : 'untranslated';
    return count > 0 ? [`, with ${count} of ${counted(of, 'text')} ${others}`] : [];
  },
  kept: (texts: Listed<{ readonly translation: Written; readonly original: Written }>) => {
    const count = texts.first.length + texts.more;
    const stay =
      count === 1
        ? '1 text stays as it was, although its original changes: '
        : `${count} texts stay as they were, although their originals change: `;
    return [
      stay,
      ...list(texts, (one) => say`${text(one.translation)} for ${text(one.original, 'none')}`),
    ];
  },
  kind,
  former: kind,
  mandatory: (isMandatory: boolean) => [isMandatory ? 'mandatory' : 'optional'],
  shown: ({ error, screens, options }: ShownFact) => {
    if (error !== undefined) return say`not shown to customers: ${error}`;
    const { length } = options.first;
    const names = ['with the option', length + options.more > 1 ? 's ' : ' '];
    return [
      'shown ',
      ...screensOf(screens),
      ...(length > 0 ? [', ', ...names, ...list(options, text)] : []),
    ];
  },
  fields: (fields: Listed<FieldFact>) => list(fields, field),
  screens: (screens: Screens) => [screens.length === 1 ? 'only ' : '', ...screensOf(screens)],
  characters: (kind: keyof typeof CHARACTERS) => [CHARACTERS[kind]],
  most: (most: Written) => [...text(most), most === '1' ? ' character' : ' characters'],
  attribute,
  texts: ({ language, count }: TextCount) => [
    `${counted(count, 'text')} in ${languageName(language)} ${count === 1 ? 'is' : 'are'}`,
  ],
  text: textName,
  changed: (one: TextFact) => {
    const called = one.isNew ? ' is called' : ' is now called';
    return [...textName(one), one.option === undefined ? ' is now' : called];
  },
  sees: (seen: Written) => text(seen, 'none'),
  saw: (seen: { readonly text: Written } | undefined) =>
    seen ? say` (customers saw ${text(seen.text, 'none')})` : [],
};

function text(value: string | number | undefined, none = 'nothing'): Parts {
  if (typeof value === 'number') return [value.toLocaleString('en-US')];
  return value === undefined ? [none] : say`${value}`;
}

function field({ caption, id }: FieldFact): Parts {
  if (caption !== undefined) return say`${JSON.stringify(caption)}`;
  return id === undefined ? ['A field without an id'] : say`Field ${id} without a caption`;
}

function list<T>({ first, more }: Listed<T>, name: (one: T) => Parts): Parts {
  return joined([...first.map((one) => name(one)), ...(more > 0 ? [[`${more} more`]] : [])], ', ');
}

function known(table: Readonly<Record<string, string>>, name: Written): Parts {
  const found = entryOf(table, name);
  return found === undefined ? text(name) : [found];
}

function kind(name: Written): Parts {
  return known(KINDS, name);
}

function attribute(name: string): Parts {
  return known(ATTRIBUTES, name);
}

function language(tag: Written): Parts {
  return text(tag && languageName(tag), 'unknown');
}

function screensOf(screens: Screens): Parts {
  return [screens.map((one) => SCREENS[one]).join(' and ') || 'nowhere'];
}

function textName({ name, option }: TextFact): Parts {
  return option === undefined ? attribute(name) : say`option ${option}`;
}

type NamesIn<TText extends string> = TText extends `${string}{${infer TName}}${infer TRest}`
  ? TName | NamesIn<TRest>
  : never;

type FactOf<TName> = TName extends keyof typeof FORMATS
  ? Parameters<(typeof FORMATS)[TName]>[0]
  : string | number | undefined;

/** The facts of an effect. It is named where it is, in a candidate, by whoever tells it. */
export type Facts<TCode extends EffectCode> = {
  readonly [TName in Exclude<NamesIn<(typeof WORDS)[TCode]['text']>, 'where'>]: FactOf<TName>;
};

/** Fills the braces of a text with facts. */
export function filled(words: string, facts: Readonly<Record<string, unknown>>): Parts {
  return words.split(/\{(\w+)\}/).flatMap((part, at): Parts => {
    if (at % 2 === 0) return part === '' ? [] : [part];
    const format = (Object.hasOwn(FORMATS, part) ? FORMATS[part as 'field'] : text) as (
      fact: unknown,
    ) => Parts;
    return format(facts[part]);
  });
}
