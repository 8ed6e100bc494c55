import type { Sentence as Text } from 'customer-data-api/sentences';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';
import { Sentence } from './sentences.tsx';

/** Scrolls to an element that has just appeared, as far as it is out of view. */
export function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}

interface DialogProps {
  readonly title: Text;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Whatever closes it, the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    showModal(current);
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      // One that is removed is closed already.
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
    >
      <article>
        <header class="row">
          <h2 id={id} class="name" tabIndex={-1}>
            <span>
              <Sentence>{title}</Sentence>
            </span>
          </h2>
          <Button
            class="text"
            aria-label="Close"
            title="Close"
            onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}
          >
            <Icon name="close" />
          </Button>
        </header>
        {children}
      </article>
    </dialog>
  );
}

interface QuestionProps {
  readonly title: Text;
  readonly children: ComponentChildren;
  /** The effect of the button that goes on. */
  readonly submit: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** Asks before something is thrown away on this page. */
export function Question({ title, children, submit, onSubmit, onClose }: QuestionProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <p class="actions">
        <button
          type="button"
          class="danger"
          onClick={() => {
            onSubmit();
            onClose();
          }}
        >
          {submit}
        </button>
      </p>
    </Dialog>
  );
}

/** The first input has the focus, so that a key which is typed at once closes nothing. */
function showModal(dialog: HTMLDialogElement | null): void {
  dialog?.showModal();
  dialog?.querySelector<HTMLElement>('form :is(input, textarea, select)')?.focus();
}
