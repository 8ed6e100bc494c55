import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import type { FailureBody, ShownVersion } from '../answers.ts';
import { TEXTS } from '../texts.ts';

/** Shows a command that does the same as a screen, on demand. A click selects all of it. */
export function Command({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <details class="command">
      <summary class="quiet">{TEXTS.command}</summary>
      <code>{children}</code>
    </details>
  );
}

/** Tells what is wrong at once, to a screen reader too. */
export function Alert({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="failure" role="alert">
      {children}
    </div>
  );
}

/** Shows a failure, and a button that tries again. */
export function FailureText(props: { readonly failure: FailureBody; readonly retry?: () => void }) {
  const { failure, retry } = props;
  const { code, message, outcome = 'nothing' } = failure;
  return (
    <Alert>
      <p>
        {message} {code !== 'noConnection' && TEXTS.failures.outcomes[outcome]}
      </p>
      {retry && <Button onClick={retry}>{TEXTS.retry}</Button>}
    </Alert>
  );
}

interface WaitProps {
  readonly failure: FailureBody | undefined;
  readonly retry: () => void;
  readonly text?: string;
}

/** Stands in for what is loading, or says why it cannot be loaded. */
export function Wait({ failure, retry, text = TEXTS.loading }: WaitProps) {
  if (failure) return <FailureText failure={failure} retry={retry} />;
  return <p role="status">{text}</p>;
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Escape and the button close it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  return (
    <dialog ref={showModal} aria-labelledby="dialog-title" onClose={onClose}>
      <article>
        <header class="row">
          <h2 id="dialog-title" class="name">
            {title}
          </h2>
          <Button onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
            {TEXTS.close}
          </Button>
        </header>
        {children}
      </article>
    </dialog>
  );
}

function showModal(dialog: HTMLDialogElement | null): void {
  dialog?.showModal();
}

/** Shows a time as the operator's clock does. */
export function Time({ at }: { readonly at: string | undefined }) {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return <time dateTime={at}>{localTime(date)}</time>;
}

/** Writes a time as the operator's clock does, with its zone. */
export function localTime(date: Date): string {
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
}

/** Names the zone of the operator's clock. */
export function timeZone(): string {
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

export function authorOf({ by, source }: Partial<ShownVersion>): string {
  return source === 'manualEdit' ? TEXTS.manualEdit : authorName(by ?? TEXTS.unknownAuthor);
}

/** Names an author: an ARN without what the callers of an account have in common. */
export function authorName(by: string): string {
  return by.replace(/^arn:[^/]*\//, '');
}

/** A list of sentences, or of lines. */
export function Sentences({ children }: { readonly children: readonly string[] }) {
  return (
    <ul>
      {children.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** The effects of a change on customers, in sentences. */
export function Effects({ children }: { readonly children: readonly string[] }) {
  return <Sentences>{children.length > 0 ? children : [TEXTS.history.noChanges]}</Sentences>;
}

interface FindingCountProps {
  /** The errors and warnings. */
  readonly findings: number;
  /** Undefined if only the sum is known. */
  readonly errors: number | undefined;
}

/** Counts findings, in the colour of the worst. */
export function FindingCount({ findings, errors }: FindingCountProps) {
  if (findings === 0) return null;
  const severity = errors === undefined ? '' : errors > 0 ? 'error' : 'warning';
  return <span class={`badge ${severity}`}>{TEXTS.findings(findings, errors)}</span>;
}

export function Button(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" class="outline secondary" {...props} />;
}

interface TextProps {
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly type?: 'text' | 'search' | 'date' | 'number';
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly lang?: string;
  readonly dir?: 'ltr' | 'rtl';
  /** The id of the texts to choose from. */
  readonly list?: string;
}

export function TextInput({ type = 'text', onInput, ...props }: TextProps) {
  const onChange = (event: { readonly currentTarget: HTMLInputElement }) =>
    onInput(event.currentTarget.value);
  // Preact has an interface for each type.
  return <input type={type as 'text'} autocomplete="off" onInput={onChange} {...props} />;
}

/** A text of several lines. */
export function TextArea({ onInput, ...props }: Omit<TextProps, 'type' | 'min' | 'max' | 'step'>) {
  return <textarea onInput={({ currentTarget }) => onInput(currentTarget.value)} {...props} />;
}

/** The column by which a table is sorted. */
export interface Sort {
  readonly column: number;
  readonly isDescending: boolean;
}

interface TableProps {
  readonly columns: readonly string[];
  /** The cells of each row, the first of which is its header. An empty one is shown as a dash. */
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly sort?: Sort;
  /** Sorts by a column, or turns its order, if a heading is pressed. */
  readonly onSort?: (sort: Sort) => void;
}

/** A table. In a narrow window, the cells of a row are below each other, with their headings. */
export function Table({ columns, rows, sort, onSort }: TableProps) {
  if (rows.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it in a narrow window.
    <section class="overflow-auto" aria-label={columns.join(', ')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((name, column) => {
              const isSorted = column === sort?.column;
              const isDescending = isSorted && sort.isDescending;
              const order = isDescending ? 'descending' : 'ascending';
              return (
                <th key={name} scope="col" aria-sort={isSorted ? order : undefined}>
                  {onSort ? (
                    <Button
                      title={TEXTS.sortBy(name)}
                      onClick={() => onSort({ column, isDescending: isSorted && !isDescending })}
                    >
                      {name} {isSorted && (isDescending ? '↓' : '↑')}
                    </Button>
                  ) : (
                    name
                  )}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => {
                const isEmpty = !cell && cell !== 0;
                const shown = isEmpty ? '–' : cell;
                return column === 0 ? (
                  <th scope="row">{shown}</th>
                ) : (
                  <td key={column} class={isEmpty ? 'empty' : ''} data-label={columns[column]}>
                    {shown}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
