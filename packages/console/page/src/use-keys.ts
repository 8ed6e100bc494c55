import { useEffect, useRef } from 'preact/hooks';

/** The attributes of a control that Ctrl-Enter presses, too. */
export const PUBLISH_KEY = { 'aria-keyshortcuts': 'Control+Enter Meta+Enter', title: 'Ctrl-Enter' };

/** True for Ctrl-Enter, and for Command-Enter on a Mac. */
export function isPublishKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey);
}

type Action = 'publish' | 'undo' | 'redo';

/** Runs what a key stands for, wherever the focus is. */
export function useKeys(actions: Readonly<Record<Action, () => void>>): void {
  // An effect runs a moment after what was typed is drawn, and the key may come before.
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const action = actionOf(event);
      if (!action) return;
      event.preventDefault();
      latest.current[action]();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** A dialog has its own way to publish, and an input undoes its own text. */
function actionOf(event: KeyboardEvent): Action | undefined {
  if (isPublishKey(event)) return document.querySelector('dialog[open]') ? undefined : 'publish';
  const isText = event.target instanceof Element && event.target.matches('input, textarea');
  if (isText || !(event.ctrlKey || event.metaKey)) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'y' || (key === 'z' && event.shiftKey)) return 'redo';
  return key === 'z' ? 'undo' : undefined;
}
