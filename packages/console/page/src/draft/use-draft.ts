import type { Sentence } from 'customer-data-api/sentences';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Client } from '../answers.ts';
import {
  draftOf,
  type EditedDraft,
  type Edits,
  edited,
  hasWork,
  isChanged,
  mergedWith,
  parseDraft,
  startEdits,
  stepped,
} from './draft.ts';
import { emptyLanguages, withoutLanguage } from './languages.ts';

/** Returns the key under which the browser keeps a draft. */
export function draftKey(deploymentId: string, clientId: string): string {
  return `draft ${deploymentId} ${clientId}`;
}

/** A draft in the storage of the browser, and its changes. */
export type StoredDraft = ReturnType<typeof useDraft>;

/** Returns the draft of a client that the browser has stored, or one without changes. */
export function useDraft(deploymentId: string, client: Client) {
  const key = draftKey(deploymentId, client.clientId);
  const [edits, setEdits] = useState<Edits>(() => {
    const stored = parseDraft(localStorage.getItem(key));
    return startEdits(stored && hasWork(stored) ? stored : draftOf(client));
  });
  const [isStored, setIsStored] = useState(true);
  const { drafts, at, notice } = edits;
  const draft = drafts[at] ?? draftOf(client);

  /** Returns the fields that are shown from now on. */
  const show = (next: Edits): readonly unknown[] => {
    setEdits(next);
    const shown = next.drafts[next.at];
    try {
      if (shown && hasWork(shown)) localStorage.setItem(key, JSON.stringify(shown));
      else localStorage.removeItem(key);
      setIsStored(true);
    } catch {
      setIsStored(false);
    }
    return shown?.fields ?? [];
  };
  const isPublished = useRef(false);
  const restart = (added: readonly string[]) =>
    show(startEdits({ ...draftOf(client), ...(added.length > 0 && { added }) }));
  // A language that has no text yet is not published, and stays.
  const keepLanguages = () => restart(emptyLanguages(draft, draft.added));

  useEffect(() => {
    if (draft.from.base === client.base) return;
    const { draft: merged } = mergedWith(draft, client);
    // Whatever the draft changed is live, perhaps in another form: an empty text is not stored.
    if (isPublished.current || (merged && !isChanged(merged))) keepLanguages();
    isPublished.current = false;
  }, [client]);

  // Another window of the console edits the same draft.
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      const stored = event.key === key ? parseDraft(event.newValue) : undefined;
      if (stored) setEdits((before) => edited(before, stored, ''));
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [key]);

  return useLatest({
    draft,
    notice,
    isChanged: useMemo(() => isChanged(draft), [draft]),
    /** True if there is something to discard. */
    hasWork: hasWork(draft),
    /** False if the browser cannot keep the draft. */
    isStored,
    canUndo: at > 0,
    canRedo: at < drafts.length - 1,
    edit: (fields: readonly unknown[], step: string, told?: Sentence) =>
      show(edited(edits, { ...draft, fields }, step, told)),
    /** Adds copies of fields, and takes over their language if the draft has none. */
    copy: (copies: readonly unknown[], language: unknown, told: Sentence) => {
      const fields = [...draft.fields, ...copies];
      return show(
        edited(edits, { ...draft, fields, language: draft.language ?? language }, '', told),
      );
    },
    replace: (next: EditedDraft, told?: Sentence) => show(edited(edits, next, '', told)),
    /** Sets the language of the fields' own texts. What is typed is undone at once. */
    setLanguage: (language: string) =>
      show(edited(edits, { ...draft, language: language || undefined }, 'language')),
    /** Adds a language to translate into, which has no texts yet. */
    addLanguage: (tag: string, told: Sentence) =>
      show(edited(edits, { ...draft, added: [...(draft.added ?? []), tag] }, '', told)),
    /** Removes a language with its translations. */
    removeLanguage: (tag: string, told: Sentence) => {
      const added = draft.added?.filter((one) => one !== tag);
      const fields = withoutLanguage(draft.fields, tag);
      return show(edited(edits, { ...draft, fields, ...(added && { added }) }, '', told));
    },
    undo: () => show(stepped(edits, -1)),
    redo: () => show(stepped(edits, 1)),
    /** Continues with what is live, as soon as that is read. */
    finish: () => {
      isPublished.current = true;
    },
    /** Drops all changes, and continues with what is live. */
    restart: () => restart([]),
    /** Continues with what is live: the draft is the candidate of a rollout now. */
    startRollout: keepLanguages,
    /** Goes on with what a preview shows: its new fields have ids now. */
    preview: (fields: readonly unknown[]) =>
      show({ ...edits, drafts: drafts.with(at, { ...draft, fields }) }),
  });
}

/** Returns one object with the latest values, for what is rendered only when it changes itself. */
export function useLatest<T extends object>(values: T): T {
  const latest = useRef(values);
  return Object.assign(latest.current, values);
}
