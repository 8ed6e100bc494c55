import type { Configuration, Field, SubField } from './types.ts';

/*
 * What the fields of a configuration mean, for an app that shows them as a form: the rules of
 * docs/api.md, "Show the fields". Pure functions, without the rest of the SDK.
 */

/** A screen of the app (spec, "Field object": `appUIs`). */
export type AppUi = 'register' | 'profile';

/** A field as a form shows it, with one input or, for a combo, two. */
export interface FormField {
  readonly id: string;
  /** The caption. */
  readonly fieldName: string;
  readonly mandatory: boolean;
  /** True if the customer can add instances, with a button that has this label if it is not ''. */
  readonly allowMultiple: boolean;
  readonly addButtonText: string;
  readonly inputs: readonly SubField[];
}

/**
 * The answers of one instance of a field: a string per input, '' for none. That of a dropdown is
 * the `value` of an option.
 */
export type Instance = readonly string[];

/** The answers of a customer by the id of the field, as `answersToStore` returns them. */
export type StoredAnswers = Readonly<Record<string, readonly Instance[]>>;

/** The problems of an answer. */
export interface AnswerProblem {
  /**
   * - `missing`: the field is mandatory, and this input is empty.
   * - `tooLong`: more than `maxChars` characters.
   * - `characters`: has characters that the input does not permit.
   * - `noOption`: is not the `value` of an option.
   * - `copy`: another instance has the same value, which `allowCopies` forbids.
   * - `tooMany`: a further instance, which `allowMultiple` does not permit.
   */
  readonly code: 'missing' | 'tooLong' | 'characters' | 'noOption' | 'copy' | 'tooMany';
  /** The position in the list of instances, from 0. */
  readonly instance: number;
  /** The position in the field's `inputs`, from 0. */
  readonly input: number;
}

/**
 * Returns the fields that a screen shows, in their order. A combo without `appUIs` is on every
 * screen. A field of a kind that this release does not know is left out, and so is one that is
 * malformed: what an app has stored may be damaged.
 */
export function fieldsFor(
  configuration: Pick<Configuration, 'fields'> | null | undefined,
  ui: AppUi,
): FormField[] {
  const fields: unknown = configuration?.fields;
  return Array.isArray(fields) ? fields.flatMap((field) => formField(field, ui) ?? []) : [];
}

/*
 * With another kind of field or input, each `satisfies` below does not compile: that place decides
 * by the kind, too. A `switch` or a table would add to the size of apps.
 */

function formField(field: Partial<Field> | null, ui: AppUi): FormField | undefined {
  const { id, fieldType, fieldName, appUIs = [ui], addButtonText, subFieldA } = field ?? {};
  const inputs: unknown[] =
    (fieldType satisfies 'text' | 'drop' | 'combo' | undefined) === 'combo'
      ? [subFieldA, field?.subFieldB]
      : [subFieldA];
  const isShown =
    ['text', 'drop', 'combo'].includes(fieldType ?? '') &&
    inputs.every(isInput) &&
    [id, fieldName, addButtonText].every(isText) &&
    Array.isArray(appUIs) &&
    appUIs.includes(ui);
  if (!isShown) return undefined;
  const [mandatory, allowMultiple] = [field?.mandatory === true, field?.allowMultiple === true];
  return { id, fieldName, mandatory, allowMultiple, addButtonText, inputs } as FormField;
}

interface StoredInput
  extends Partial<Record<'placeHolderText' | 'maxChars' | 'optionsArray', unknown>> {
  readonly subType: SubField['subType'];
}

function isInput(value: unknown): value is SubField {
  const { subType, placeHolderText, maxChars, optionsArray }: StoredInput = Object(value);
  return (
    isText(placeHolderText) &&
    (subType === 'text'
      ? typeof maxChars === 'number'
      : (subType satisfies 'drop') === 'drop' &&
        Array.isArray(optionsArray) &&
        optionsArray.every((option) => isText(option?.value) && isText(option?.display)))
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Returns the answers of a field before the customer enters any: one empty instance. */
export function emptyAnswers({ inputs }: FormField): readonly Instance[] {
  return [inputs.map(() => '')];
}

/*
 * The characters that nobody sees, as parts of a class: those of core/text.ts. As ranges, because
 * engines differ in what they know of Unicode.
 */

/** Joiners, selectors and tags, which belong to the character before them. */
export const PARTS =
  '\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\u{e0020}-\u{e007f}\u{e0100}-\u{e01ef}';
/** All others. */
export const UNSEEN =
  '\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffc\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e001f}\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}';
// U+FEFF is a space of JavaScript's, too, and goes.
const LOST = new RegExp(`(^|(?!\\ufeff)\\s)[${UNSEEN}${PARTS}]+|[${UNSEEN}]`, 'gu');

/**
 * Returns what a customer entered as it is checked and should be stored: without spaces and line
 * breaks around it, without characters that nobody sees, except those that belong to the one
 * before, in Unicode's normalization form C. The value of an option stays as it is.
 */
export function normalizedAnswer({ subType }: SubField, answer: string): string {
  if ((subType satisfies 'text' | 'drop') === 'drop') return answer;
  return answer.replace(LOST, '$1').trim().normalize('NFC');
}

/**
 * Returns the answers to submit: as they are checked, without empty instances. An instance keeps
 * what it has of inputs that the field no longer has.
 */
export function answersToStore(field: FormField, instances: readonly Instance[]): string[][] {
  return normalizedRows(field, instances).flatMap((answers, at) =>
    isEmptyRow(answers) ? [] : [withInputs(instances[at] ?? [], answers)],
  );
}

/** Returns an instance with other answers to the inputs, and what it has beyond them. */
export function withInputs(instance: Instance, answers: Instance): string[] {
  return [...answers, ...instance.slice(answers.length)];
}

function normalizedRows({ inputs }: FormField, instances: readonly Instance[]): string[][] {
  return instances.map((answers) =>
    inputs.map((subField, input) => normalizedAnswer(subField, answers[input] ?? '')),
  );
}

const isEmptyRow = (answers: Instance) => answers.every((answer) => answer === '');

/**
 * Checks the answers to a field. No problem means that the app may submit them. An answer has a
 * problem for each rule that it breaks.
 */
export function checkAnswers(field: FormField, instances: readonly Instance[]): AnswerProblem[] {
  const { inputs, mandatory, allowMultiple } = field;
  const rows = normalizedRows(field, instances);
  const isEmpty = rows.map(isEmptyRow);
  const first = Math.max(0, isEmpty.indexOf(false));
  const answered = rows.length > 0 ? rows : [inputs.map(() => '')];
  return answered.flatMap((answers, instance) =>
    answers.flatMap((answer, input): AnswerProblem[] => {
      const subField = inputs[input] as SubField;
      const codesOf = (): AnswerProblem['code'][] => {
        // An instance without any answer is not submitted.
        if (answer === '') {
          return mandatory && (instance === first || !isEmpty[instance]) ? ['missing'] : [];
        }
        if (!allowMultiple && instance !== first) return ['tooMany'];
        const codes = codesOfAnswer(subField, answer);
        const isCopy = rows.slice(0, instance).some((row) => row[input] === answer);
        return isCopy && !subField.allowCopies ? [...codes, 'copy'] : codes;
      };
      return codesOf().map((code) => ({ code, instance, input }));
    }),
  );
}

/**
 * Returns the fields of a screen that the customer has not answered, in their order: those without
 * an answer, and those of which an option has gone or a mandatory input is empty. A rule that has
 * become stricter asks for no new answer.
 */
export function missingFields(
  configuration: Parameters<typeof fieldsFor>[0],
  ui: AppUi,
  answers: StoredAnswers | null | undefined,
): FormField[] {
  return fieldsFor(configuration, ui).filter((field) => {
    const given: unknown = answers?.[field.id];
    const stored = answersToStore(field, Array.isArray(given) ? given : []);
    return (
      stored.length === 0 ||
      checkAnswers(field, stored).some(({ code }) => ['missing', 'noOption'].includes(code))
    );
  });
}

function codesOfAnswer(input: SubField, answer: string): AnswerProblem['code'][] {
  if (input.subType === 'drop') {
    return input.optionsArray.some(({ value }) => value === answer) ? [] : ['noOption'];
  }
  const isForbidden = new RegExp(`[${forbiddenCharacters(input)}]`, 'u').test(answer);
  return [
    ...([...answer].length > input.maxChars ? (['tooLong'] as const) : []),
    ...(isForbidden ? (['characters'] as const) : []),
  ];
}

/**
 * Returns the characters that an input does not permit, as parts of a class. Letters and digits are
 * those of any script. Spaces are neither, and no symbols, and always permitted; so are marks,
 * which belong to the character before. Control characters and line breaks never are. Everything
 * else is a symbol: hyphens, punctuation, emoji.
 */
export function forbiddenCharacters(input: Extract<SubField, { subType: 'text' }>): string {
  const { alpha, numbers, symbols } = input;
  // Symbols are all others: with them, the class lists what is forbidden, and else what is not.
  const letters = !alpha === !symbols ? '' : '\\p{L}';
  const digits = !numbers === !symbols ? '' : '\\p{Nd}';
  const others = symbols ? '\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}' : `^\\p{Zs}\\p{M}${PARTS}`;
  return `${others}${letters}${digits}`;
}

/** The text of each problem, of an input and the answer in it. */
export type ProblemTexts = Readonly<
  Record<AnswerProblem['code'], (input: SubField, answer: string) => string>
>;

/** The texts of the problems in English. For another language, write an object of the same type. */
export const PROBLEM_TEXTS: ProblemTexts = {
  missing: ({ subType }) =>
    (subType satisfies 'text' | 'drop') === 'drop' ? 'Please choose one.' : 'Please fill this in.',
  tooLong: (input, answer) => {
    const most = 'maxChars' in input ? input.maxChars : 0;
    const { length } = [...normalizedAnswer(input, answer)];
    return `Please enter at most ${most} characters, not ${length}.`;
  },
  characters: ({ alpha, numbers, symbols }) => {
    const kinds = [alpha && 'letters', numbers && 'digits', symbols && 'symbols'].filter(Boolean);
    return `Please use ${kinds.join(', ')}${kinds.length > 0 ? ' and ' : ''}spaces only.`;
  },
  noOption: () => 'Please choose again.',
  copy: () => 'You have entered this already.',
  tooMany: () => 'Please give only one answer.',
};
