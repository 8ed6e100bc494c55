import { languageTag, type TranslatableText } from 'customer-data-api/configuration';
import { useMemo, useState } from 'preact/hooks';
import { asMap, type DraftFinding } from '../draft/draft.ts';
import {
  emptyLanguages,
  missingTexts,
  nextMissing,
  translatedLanguages,
} from '../draft/languages.ts';
import { type StoredDraft, useLatest } from '../draft/use-draft.ts';

/** The selection: a field, and the text in it to which the operator was led. */
type Selected = Pick<TranslatableText, 'index' | 'path'>;

/** The parts of the editor at which an operator looks, and the links that lead elsewhere. */
export type View = ReturnType<typeof useView>;

/** Returns what is selected of a draft, and in which language. */
export function useView({ draft }: StoredDraft, findings: readonly DraftFinding[]) {
  const [selected, select] = useState<Selected>({ index: -1, path: [] });
  const [chosen, setLanguage] = useState('');
  const { languages, missing } = useMemo(() => {
    const all = [...translatedLanguages(draft), ...emptyLanguages(draft, draft.added)];
    const texts = all.map((one) => [one, missingTexts(draft.fields, one)] as const);
    return { languages: all, missing: new Map(texts) };
  }, [draft]);
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
    const ofField = missing.get(one)?.filter(({ index }) => index === text.index) ?? [];
    const paths = ofField.map(({ path }) => path.join());
    focusOn('.missing input', paths.indexOf(text.path.join()));
  };
  const lead = (number: number) => {
    const [list, index, name, tag] = findings[number]?.path ?? [];
    if (name === 'translations') setLanguage(languageTag(tag) ?? '');
    if (list === 'fields') setOpen(Number(index));
    focusOn(`#finding-${number}`);
  };
  const wrong = errors.find(isSolvedHere);
  return useLatest({
    /** The index of the field whose form is open; -1 if none is. */
    open,
    setOpen,
    /** Keeps the form of the same field open after a step that can move it. */
    keepOpen: (fields: readonly unknown[]) => {
      const { id } = asMap(draft.fields[open]);
      const isThere = id === undefined && fields.length === draft.fields.length;
      setOpen(isThere ? open : fields.findIndex((field) => id && asMap(field).id === id));
    },
    /** The language of the phone, and of forms beside the original; empty for that alone. */
    language,
    languages,
    /** The texts that each language lacks. */
    missing,
    choose,
    /** Goes on to the next text that is missing in the language, if there is one. */
    chooseNext: next === undefined ? undefined : () => choose(language, next),
    errors: errors.length,
    /** Leads to the first error; undefined if a form has none. */
    fix: wrong && (() => lead(wrong.number)),
    /** Leads to where a finding is solved, by its number. */
    lead,
  });
}

/** Returns the first error or, without any, the first warning. */
export function worstOf(findings: readonly DraftFinding[]): DraftFinding | undefined {
  return findings.find(({ severity }) => severity === 'error') ?? findings[0];
}

/** True if a form has the control with which a finding is solved. */
export function isSolvedHere({ path: [list, index] }: DraftFinding): boolean {
  return list === 'language' || (list === 'fields' && index !== undefined);
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
