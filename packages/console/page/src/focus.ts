import { useEffect, useRef } from 'preact/hooks';

/**
 * Keeps the focus where its user goes on, whom a screen reader tells that: another screen gives it
 * to its heading. So does what has the focus when it goes, such as a row that is removed.
 *
 * @param screen identifies the screen.
 */
export function useFocus(screen: string): void {
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    focusHeading();
  }, [screen]);

  useEffect(() => {
    const over = new AbortController();
    let last: Element | undefined;
    addEventListener('focusin', ({ target }) => (last = target as Element), over);
    // A press beside all controls takes the focus from what had it.
    addEventListener('pointerdown', () => (last = undefined), over);
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      last = undefined;
      focusHeading();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      over.abort();
      observer.disconnect();
    };
  }, []);
}

/** Moves the focus to the heading of the innermost dialog or, without one, of the screen. */
function focusHeading(): void {
  const places = document.querySelectorAll('main, dialog[open]');
  [...places].at(-1)?.querySelector<HTMLElement>('h1, h2')?.focus();
}
