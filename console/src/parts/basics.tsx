import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../api.ts';
import { TEXTS } from '../texts.ts';
import type { Version } from '../types.ts';

/** Shows a command that does the same as a screen, to be copied. */
export function Command({ children }: { readonly children: string | undefined }) {
  const [answer, setAnswer] = useState('');
  if (children === undefined) return null;
  const copy = () =>
    navigator.clipboard.writeText(children).then(
      () => setAnswer(TEXTS.copied),
      () => setAnswer(TEXTS.failures.copy),
    );
  return (
    <p class="command">
      <span class="quiet">{TEXTS.command}</span>
      <code>{children}</code>
      <Button class="outline secondary small" onClick={copy}>
        {TEXTS.copy}
      </Button>
      <span role="status">{answer}</span>
    </p>
  );
}

/** Shows a failure, and a button that tries again. */
export function FailureText(props: { readonly failure: Failure; readonly retry?: () => void }) {
  const { failure, retry } = props;
  const remedy = {
    nothing: '',
    unknown: failure.code === 'noConnection' ? '' : TEXTS.failures.unknownOutcome,
    published: TEXTS.failures.published,
  }[failure.outcome];
  return (
    <div class="failure" role="alert">
      <p>
        {failure.message} {remedy}
      </p>
      {retry && <Button onClick={retry}>{TEXTS.retry}</Button>}
    </div>
  );
}

interface WaitProps {
  readonly failure: Failure | undefined;
  readonly retry: () => void;
  readonly text?: string;
}

/** Stands in for what is loading, or says why it cannot be loaded. */
export function Wait({ failure, retry, text = TEXTS.loading }: WaitProps) {
  return failure ? (
    <FailureText failure={failure} retry={retry} />
  ) : (
    <p class="quiet" role="status">
      {text}
    </p>
  );
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Escape and the button close it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <article>
        <header>
          <h2 id="dialog-title">{title}</h2>
          <Button onClick={() => dialog.current?.close()}>{TEXTS.close}</Button>
        </header>
        {children}
      </article>
    </dialog>
  );
}

/** Shows a time as the operator's clock does. */
export function Time({ at }: { readonly at: string | undefined }) {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return <time dateTime={at}>{localTime(date)}</time>;
}

export function localTime(date: Date, timeStyle: 'short' | 'medium' = 'short'): string {
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle });
}

export function authorOf({ by, source }: Partial<Version>): string {
  return source === 'outside' ? TEXTS.manualEdit : (by ?? TEXTS.unknownAuthor);
}

export function Button(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" class="outline secondary" {...props} />;
}

interface TextProps {
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly type?: 'text' | 'search' | 'date';
  readonly required?: boolean;
}

export function TextInput({ type = 'text', onInput, ...props }: TextProps) {
  const onChange = (event: { readonly currentTarget: HTMLInputElement }) =>
    onInput(event.currentTarget.value);
  // Preact has an interface for each type.
  return <input type={type as 'text'} autocomplete="off" onInput={onChange} {...props} />;
}

/** A text of several lines, as high as its content. */
export function TextArea({ value, onInput, ...props }: TextProps) {
  const rows = Math.min(Math.max(2, value.split('\n').length), 20);
  const onChange = (event: { readonly currentTarget: HTMLTextAreaElement }) =>
    onInput(event.currentTarget.value);
  return <textarea rows={rows} value={value} onInput={onChange} required={props.required} />;
}

interface TableProps {
  readonly columns: readonly string[];
  /** The first cell of a row is its header. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ComponentChildren[] }[];
}

/** A table, which scrolls sideways in a narrow window. */
export function Table({ columns, rows }: TableProps) {
  if (rows.length === 0) return null;
  return (
    <div class="overflow-auto">
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [header, ...cells] }) => (
            <tr key={key}>
              <th scope="row">{header}</th>
              {cells.map((cell, index) => (
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
