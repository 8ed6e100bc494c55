import type { TranslatableText } from 'customer-data-api/configuration';
import { useState } from 'preact/hooks';
import { asMap, type DraftFinding } from '../draft/draft.ts';
import {
  emptyLanguages,
  missingTexts,
  nextMissing,
  translatedLanguages,
} from '../draft/languages.ts';
import type { StoredDraft } from '../draft/use-draft.ts';

/** The selection: a field, and the text in it to which the operator was led. */
type Selected = Pick<TranslatableText, 'index' | 'path'>;

/** The parts of the editor at which an operator looks, and the links that lead elsewhere. */
export type View = ReturnType<typeof useView>;

/** Returns what is selected of a draft, and in which language. */
export function useView({ draft }: StoredDraft, findings: readonly DraftFinding[]) {
  const [selected, select] = useState<Selected>({ index: -1, path: [] });
  const [chosen, setLanguage] = useState('');
  const languages = [...translatedLanguages(draft), ...emptyLanguages(draft, draft.added)];
  // The chosen one may be gone after an undo.
  const language = languages.includes(chosen) ? chosen : '';
  const open = selected.index;
  const setOpen = (index: number) => select({ index, path: [] });
  const errors = findings.filter(({ severity }) => severity === 'error');
  const next = language === '' ? undefined : nextMissing(draft.fields, language, selected);
  /** Chooses a language, and leads to a text that a field lacks in it. */
  const choose = (one: string, text?: Selected) => {
    setLanguage(one);
    if (text === undefined) return;
    select(text);
    const missing = missingTexts(draft.fields, one).filter(({ index }) => index === text.index);
    const paths = missing.map(({ path }) => path.join());
    focusOn('.missing input', paths.indexOf(text.path.join()));
  };
  const lead = (number: number) => {
    const [list, index, name] = findings[number]?.path ?? [];
    if (name === 'translations') setLanguage('');
    if (list === 'fields') setOpen(Number(index));
    focusOn(`#finding-${number}`);
  };
  const wrong = errors.find(isSolvedHere);
  return {
    /** The index of the field whose form is open; -1 if none is. */
    open,
    setOpen,
    /** Keeps the form of the same field open after a step that can move it. */
    keepOpen: (fields: readonly unknown[]) => {
      const { id } = asMap(draft.fields[open]);
      const isThere = id === undefined && fields.length === draft.fields.length;
      setOpen(isThere ? open : fields.findIndex((field) => id && asMap(field).id === id));
    },
    /** The language that is shown alone; empty for all. */
    language,
    languages,
    /** The languages whose translations are shown. */
    shownLanguages: language === '' ? languages : [language],
    choose,
    /** Goes on to the next text that is missing in the language, if there is one. */
    chooseNext: next === undefined ? undefined : () => choose(language, next),
    errors: errors.length,
    /** Leads to the first error; undefined if a form has none. */
    fix: wrong && (() => lead(wrong.number)),
    /** Leads to where a finding is solved, by its number. */
    lead,
  };
}

/** Returns the first error or, without any, the first warning. */
export function worstOf(findings: readonly DraftFinding[]): DraftFinding | undefined {
  return findings.find(({ severity }) => severity === 'error') ?? findings[0];
}

/** True if a form has the control with which a finding is solved. */
export function isSolvedHere({ path: [list, index] }: DraftFinding): boolean {
  return list === 'language' || (list === 'fields' && index !== undefined);
}

/** Returns the findings of a field, with paths that start at it. */
export function findingsOf(findings: readonly DraftFinding[], index: number): DraftFinding[] {
  return findings.flatMap(({ path: [list, at, ...path], fieldName: _, ...finding }) =>
    list === 'fields' && at === index ? { ...finding, path } : [],
  );
}

/** Moves the focus to a control, or to that of a finding, once its form is open. */
function focusOn(selector: string, at = 0): void {
  setTimeout(() => {
    const found = document.querySelectorAll<HTMLElement>(selector)[at];
    const beside = found?.parentElement?.parentElement?.querySelector(':scope > label');
    const control = found?.matches('li')
      ? (found.querySelector('button') ?? beside?.querySelector<HTMLElement>(CONTROL) ?? found)
      : found;
    for (let one = control?.closest('details'); one; one = one.parentElement?.closest('details')) {
      one.open = true;
    }
    control?.focus();
  });
}

const CONTROL = 'input, select, textarea';
