import { type Finding, findingText, languageName } from 'customer-data-api/configuration';
import { type Parts, withQuotes } from 'customer-data-api/sentences';
import { ATTRIBUTES, TEXTS } from '../texts.ts';

/** True for a finding about the name of an attribute, rather than about its value. */
export function isAboutName({ code }: Finding): boolean {
  return /^(misplaced|misspelled|unknown)Attribute$/.test(code);
}

/** Names what a finding is about: the caption of the field, and the control or the attribute. */
export function placeOf(finding: Finding): string {
  const { fieldName } = finding;
  const path = [...finding.path];
  if (path[0] === 'fields') path.splice(0, 2);
  const [, list, index] = path;
  const isOption = list === 'optionsArray' && typeof index === 'number';
  const known = isOption ? `Option ${index + 1}` : labelOf(path);
  const name = isAboutName(finding) ? JSON.stringify(path.at(-1)) : known;
  return [fieldName && JSON.stringify(fieldName), name].filter(Boolean).join(', ');
}

/** Names the line of a list that a finding is about; empty beside its control. */
export function lineOf({ path }: Finding, lines: readonly number[] = []): string {
  const index = path.find((key) => typeof key === 'number');
  const line = index === undefined ? undefined : lines[index];
  return line === undefined ? '' : `Line ${line}`;
}

/** The labels of what has a name on the page. */
const LABELS: Readonly<Record<string, string>> = {
  ...ATTRIBUTES,
  language: TEXTS.ownLanguage,
  options: ATTRIBUTES.optionsArray,
  appIds: 'App-Ids',
  userPoolClientIds: TEXTS.appClients,
  promoCodesIgnoreCase: 'Case of promo codes',
  subFieldA: 'First input',
  subFieldB: 'Second input',
};

/** Names an attribute as its control does; empty for a field itself. */
export function labelOf(path: Finding['path']): string {
  const at = path.indexOf('translations');
  if (at !== -1 && path.length > at + 1) {
    const [tag, ...rest] = path.slice(at + 1);
    const language = languageName(`${tag}`);
    const isOption = rest[1] === 'options' && rest.length > 2;
    const label = isOption ? `Option with the value ${JSON.stringify(rest[2])}` : labelOf(rest);
    return label ? TEXTS.in(label, language) : language;
  }
  const name = path.findLast((key) => Object.hasOwn(LABELS, key)) ?? path.at(-1) ?? '';
  return (Object.hasOwn(LABELS, name) ? LABELS[name] : undefined) ?? `${name}`;
}

/** The attributes that a box in the page turns on and off. */
const TICKED = ['mandatory', 'allowMultiple', 'allowCopies', 'alpha', 'numbers', 'symbols'];

/** The words for somebody who sees controls, where those for a file would not help. */
const WORDS: Readonly<Partial<Record<Finding['code'], string>>> = {
  duplicateId:
    'an earlier field has the same id, so apps show only that one. Without its id, this one gets a new one',
  missingLanguage: 'is missing, such as en. Without it, apps in that language may get another one',
  noCharacters: 'customers could enter nothing. Tick what they may enter',
  notServed: 'apps do not get this. Remove it',
  unknownAttribute: 'no app knows this attribute. Remove it',
  unknownUi: 'apps do not have this screen. Choose where the field is shown',
};

/** Writes a finding after its place, or beside its control. */
export function sentenceOf({ code, path, message }: Finding, place: string): Parts {
  const name = `${path.at(-1)}`;
  const isTicked = ['missing', 'wrongType'].includes(code) && TICKED.includes(name);
  const isLength = code === 'missing' && name === 'maxChars';
  const words = /^(field|sub)Type$/.test(name)
    ? 'is none that apps can show here. Choose one'
    : isTicked
      ? 'is neither on nor off. Tick it; to turn it off, untick it again'
      : isLength
        ? 'enter the longest answer, such as 50'
        : // What follows names attributes.
          (WORDS[code] ?? (code === 'shownNowhere' ? message.replace(/;.*/, '') : message));
  const text = place ? `${place}: ${words}` : words.charAt(0).toUpperCase() + words.slice(1);
  return withQuotes(findingText({ path: [], message: text }));
}

/** True for a finding that the screen Access solves. */
export function isOfAccess({ path: [name] }: Finding): boolean {
  return /^(appIds|userPoolClientIds|promoCodesIgnoreCase)$/.test(`${name}`);
}

/** Words a finding about the item of a client, which no form shows; undefined for any other. */
export function itemSentence(finding: Finding): Parts | undefined {
  const { path, message } = finding;
  const [name] = path;
  const remedy =
    name === 'lastFieldId'
      ? 'The next publication repairs it.'
      : isAboutName(finding) && 'It cannot be repaired here, only in the table.';
  return path.length === 1 && remedy
    ? withQuotes(`${placeOf(finding)} ${findingText({ path: [], message })} ${remedy}`)
    : undefined;
}
