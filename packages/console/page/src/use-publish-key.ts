import { useEffect, useRef } from 'preact/hooks';

/** The attributes of a control that Ctrl-Enter presses, too. */
export const PUBLISH_KEY = { 'aria-keyshortcuts': 'Control+Enter Meta+Enter', title: 'Ctrl-Enter' };

/** True for Ctrl-Enter, and for Command-Enter on a Mac. */
export function isPublishKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey);
}

/** Runs on Ctrl-Enter, wherever the focus is, unless a dialog is open. */
export function usePublishKey(run: () => void): void {
  // An effect runs a moment after what was typed is drawn, and the key may come before.
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPublishKey(event) || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
