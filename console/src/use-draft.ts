import { useEffect, useMemo, useState } from 'preact/hooks';
import {
  type Draft,
  draftOf,
  type Edits,
  edited,
  isChanged,
  parseDraft,
  redone,
  startEdits,
  undone,
} from './draft.ts';
import type { Client, Live } from './types.ts';

/** A draft in the storage of the browser, and its changes. */
export interface StoredDraft {
  readonly draft: Draft;
  readonly isChanged: boolean;
  /** Whether the browser has stored the draft. */
  readonly isStored: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly edit: (fields: readonly unknown[], step: string) => void;
  readonly replace: (draft: Draft) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Drops all changes, and continues with a configuration that is live. */
  readonly restart: (live: Live) => void;
}

/** Where the browser keeps a draft. */
export function draftKey(deploymentId: string, clientId: string): string {
  return `draft ${deploymentId} ${clientId}`;
}

/** Returns the draft of a client that the browser has stored, or one without changes. */
export function useDraft(deploymentId: string, client: Client): StoredDraft {
  const key = draftKey(deploymentId, client.clientId);
  const [edits, setEdits] = useState<Edits>(() => {
    const stored = parseDraft(localStorage.getItem(key));
    return startEdits(stored && isChanged(stored) ? stored : draftOf(client));
  });
  const [isStored, setIsStored] = useState(true);

  const show = (next: Edits) => {
    setEdits(next);
    try {
      if (isChanged(next.draft)) localStorage.setItem(key, JSON.stringify(next.draft));
      else localStorage.removeItem(key);
      setIsStored(true);
    } catch {
      setIsStored(false);
    }
  };

  // Another window of the console edits the same draft.
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      const draft = event.key === key ? parseDraft(event.newValue) : undefined;
      if (draft) setEdits((before) => edited(before, draft, ''));
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, [key]);

  const { draft, past, future } = edits;
  return {
    draft,
    isChanged: useMemo(() => isChanged(draft), [draft]),
    isStored,
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    edit: (fields, step) => show(edited(edits, { ...draft, fields }, step)),
    replace: (next) => show(edited(edits, next, '')),
    undo: () => show(undone(edits)),
    redo: () => show(redone(edits)),
    restart: (live) => show(startEdits(draftOf(live))),
  };
}
