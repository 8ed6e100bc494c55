import {
  type AnswerProblem,
  checkAnswers,
  emptyAnswers,
  type FormField,
  type Instance,
  PROBLEM_TEXTS,
  type ProblemTexts,
} from './fields.ts';
import type { SubField } from './types.ts';

/*
 * The form of a field without a view: what it holds, what a change makes of it, and the words for
 * the customer. The element for web pages and the component for React Native draw it.
 */

/** The texts of the form for the customer. */
export interface FormTexts {
  mandatory: string;
  add: string;
  remove: string;
  choose: string;
  /** Names an input without caption and placeholder for screen readers. */
  answer: string;
  problems: ProblemTexts;
}

export const FORM_TEXTS: FormTexts = {
  mandatory: 'mandatory',
  add: '+',
  remove: 'Remove',
  choose: 'Please choose',
  answer: 'Answer',
  problems: PROBLEM_TEXTS,
};

/** A form in one moment. Each change makes another one. */
export interface FormState {
  readonly field?: FormField | undefined;
  /** The answers, a row for each instance. */
  readonly answers: readonly Instance[];
  /** The answers that the app has set last, to which a reset returns. */
  readonly initial: readonly Instance[];
  /** True if empty inputs are shown as problems. Others are shown while the customer types. */
  readonly isChecked: boolean;
}

export const NO_FORM: FormState = {
  answers: [],
  initial: [],
  isChecked: false,
};

/** Returns true if the same inputs can show both fields, such as one in two languages. */
export function canShareInputs(one: FormField | undefined, other: FormField | undefined): boolean {
  return one?.id === other?.id && one?.inputs.length === other?.inputs.length;
}

/**
 * Sets the field. The same field, such as in another language, keeps what was entered.
 *
 * @param isAnswered true if the answers are already those of the new field.
 */
export function withField(
  form: FormState,
  field: FormField | undefined,
  isAnswered: boolean,
): FormState {
  const isShared = canShareInputs(form.field, field);
  const kept = isShared || isAnswered || !form.field ? form : NO_FORM;
  return complete({ ...kept, field, isChecked: isShared && form.isChecked });
}

/** Sets the answers, as the app does. They replace what was entered. */
export function withAnswers(form: FormState, answers: readonly Instance[] = []): FormState {
  const initial = answers.map((row) => [...row]);
  return complete({ ...withEntered(form, initial), initial });
}

/** Takes over the answers that the customer has entered. Equal ones stay the same value. */
export function withEntered(form: FormState, answers: readonly Instance[]): FormState {
  return areEqualAnswers(answers, form.answers) ? form : { ...form, answers };
}

/** Returns to the answers that the app has set last. */
export function reset(form: FormState): FormState {
  return { ...withEntered(form, form.initial), isChecked: false };
}

/** Gives a field without answers an empty instance. */
function complete(form: FormState): FormState {
  if (!form.field || form.answers.length > 0) return form;
  const answers = emptyAnswers(form.field);
  return { ...form, answers, initial: answers };
}

export function areEqualAnswers(
  some: readonly Instance[] | undefined,
  others: readonly Instance[] | undefined,
): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

/** A problem of an input, with its text for the customer. */
interface Problem extends AnswerProblem {
  readonly text: string;
}

/** An input as a view draws it. */
export interface ShownInput {
  readonly input: SubField;
  readonly answer: string;
  /** Its name for screen readers. */
  readonly name: string;
  /** The texts of its problems, `''` for none. */
  readonly problem: string;
}

/** An instance as a view draws it. */
interface ShownInstance {
  readonly inputs: readonly ShownInput[];
  /** Names the button that removes it for screen readers. */
  readonly name: string;
}

/** A form as a view draws it. */
export interface ShownForm {
  readonly instances: readonly ShownInstance[];
  /** The text of the button that adds an instance, and its name for screen readers. */
  readonly addButton: readonly [text: string, name: string];
  /** All problems in the order of the inputs, also those that are not shown yet. */
  readonly problems: readonly Problem[];
}

/** Returns what a view draws. Nobody can correct what is disabled: it has no problems. */
export function shownForm(
  { answers, isChecked }: FormState,
  field: FormField,
  texts: FormTexts,
  isDisabled: boolean,
): ShownForm {
  const { fieldName, inputs, addButtonText } = field;
  const problems = (isDisabled ? [] : checkAnswers(field, answers)).map((problem) => {
    const answer = answers[problem.instance]?.[problem.input] ?? '';
    const text = texts.problems[problem.code](inputs[problem.input] as SubField, answer);
    return { ...problem, text };
  });
  const instances = answers.map((row, instance) => {
    // Which of several answers it is.
    const own = joined(' ', fieldName, answers.length > 1 && `${instance + 1}`);
    const shownInputs = inputs.map((input, at) => {
      const shown = problems.filter(
        (one) =>
          one.instance === instance && one.input === at && (isChecked || one.code !== 'missing'),
      );
      return {
        input,
        answer: row[at] ?? '',
        name: joined(': ', own, input.placeHolderText) || texts.answer,
        problem: joined(' ', ...shown.map(({ text }) => text)),
      };
    });
    return { inputs: shownInputs, name: joined(': ', texts.remove, own) };
  });
  const addName = addButtonText || joined(' ', texts.add, fieldName);
  return { instances, addButton: [addButtonText || texts.add, addName], problems };
}

function joined(separator: string, ...texts: readonly (string | false)[]): string {
  return texts.filter(Boolean).join(separator);
}
