import { counted } from 'customer-data-api/configuration';
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FailureBody, ShownVersion } from '../answers.ts';
import { TEXTS } from '../texts.ts';
import { Icon } from './icons.tsx';

/** What an operator does here, and the command that does the same. */
export type NamedCommands = readonly (readonly [what: string, command: string | undefined])[];

/** Shows the commands of all actions of a screen, on demand. A click selects all of one. */
export function Commands({ children }: { readonly children: NamedCommands }) {
  const known = children.filter(([, command]) => command !== undefined);
  if (known.length === 0) return null;
  return (
    <details class="command">
      <summary class="quiet">On the command line</summary>
      <dl>
        {known.map(([what, command]) => (
          <>
            <dt>{what}</dt>
            <dd>
              <code>{command}</code>
            </dd>
          </>
        ))}
      </dl>
    </details>
  );
}

/** Shows the command that does the same as a dialog, on demand. */
export function Command({ children }: { readonly children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <details class="command">
      <summary class="quiet">On the command line</summary>
      <code>{children}</code>
    </details>
  );
}

/** Tells at once what keeps an operator from going on, to a screen reader too. */
export function Alert({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice" role="alert">
      {children}
    </div>
  );
}

/** What became of a change that failed. */
const OUTCOMES = {
  nothing: '',
  unknown: 'It is unknown whether the change was published. Try again: nothing is published twice.',
  published: 'The change was published all the same.',
};

/** Shows a failure, and a button that tries again. */
export function FailureText(props: { readonly failure: FailureBody; readonly retry?: () => void }) {
  const { failure, retry } = props;
  const { code, message, outcome = 'nothing' } = failure;
  return (
    <Alert>
      <p>
        {message} {code !== 'noConnection' && OUTCOMES[outcome]}
      </p>
      {retry && <Button onClick={retry}>Try again</Button>}
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

/** Scrolls to an element that has just appeared, as far as it is out of view. */
export function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
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
            {title}
          </h2>
          <Button onClick={({ currentTarget }) => currentTarget.closest('dialog')?.close()}>
            Close
          </Button>
        </header>
        {children}
      </article>
    </dialog>
  );
}

interface QuestionProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What the button does that goes on. */
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

/** Copies a text. The button says whether it could. */
export function CopyButton({ text, children }: { readonly text: string; children: string }) {
  const [state, setState] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('Copied'),
      () => setState('Select it, and copy it yourself'),
    );
  return (
    <>
      <Button onClick={copy}>
        <Icon name={state === 'Copied' ? 'done' : 'copy'} /> {state || children}
      </Button>
      {state.startsWith('Select') && <code>{text}</code>}
    </>
  );
}

/** The first input has the focus, so that a key which is typed at once closes nothing. */
function showModal(dialog: HTMLDialogElement | null): void {
  dialog?.showModal();
  dialog?.querySelector<HTMLElement>('form :is(input, textarea, select)')?.focus();
}

/** Shows a time as the operator's clock does, as short as it is clear. */
export function Time({ at }: { readonly at: string | undefined }) {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={localTime(date)}>
      {shortTime(date)}
    </time>
  );
}

function shortTime(date: Date): string {
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleString(undefined, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(!isThisYear && { year: 'numeric' }),
  });
}

/** Writes a time with seconds and the zone, as the operator's clock does. */
export function localTime(date: Date): string {
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
}

/** Names the zone of the operator's clock. */
export function timeZone(): string {
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts();
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

export function authorOf({ by, source }: Partial<ShownVersion>): string {
  return source === 'manualEdit' ? TEXTS.manualEdit : authorName(by ?? 'somebody');
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
  return <Sentences>{children.length > 0 ? children : [TEXTS.noEffects]}</Sentences>;
}

/** Names whom a rollout reaches. */
export function shareText(percent: number, devices: number): string {
  const named = devices > 0 && counted(devices, 'named device');
  const share = percent > 0 && `${percent} % of all devices`;
  return [share, named].filter(Boolean).join(' and ') || 'no device yet';
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
  return (
    <span class={`badge ${severity}`}>
      <Icon name={severity === 'error' ? 'error' : 'warning'} />
      {errors === undefined
        ? counted(findings, 'problem')
        : [
            errors && counted(errors, 'error'),
            findings > errors && counted(findings - errors, 'warning'),
          ]
            .filter(Boolean)
            .join(', ')}
    </span>
  );
}

export function Button(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" class="outline secondary" {...props} />;
}

/** The attributes of a control that Ctrl-Enter presses, too. */
export const PUBLISH_KEY = { 'aria-keyshortcuts': 'Control+Enter Meta+Enter', title: 'Ctrl-Enter' };

/** True for Ctrl-Enter, and for Command-Enter on a Mac. */
export function isPublishKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey);
}

interface TextProps {
  readonly value: string;
  readonly onInput: (text: string) => void;
  /** Called with the whole text once it is entered. */
  readonly onEntered?: (text: string) => void;
  readonly type?: 'text' | 'search' | 'date' | 'number';
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly lang?: string;
  readonly dir?: 'ltr' | 'rtl';
  /** The id of the texts to choose from. */
  readonly list?: string;
  /** `id` for what is as short as an id. */
  readonly class?: string;
  /** The id of what else there is to know. */
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true | undefined;
}

export function TextInput({ type = 'text', onInput, onEntered, ...props }: TextProps) {
  type Changed = { readonly currentTarget: HTMLInputElement };
  return (
    <input
      // Preact has an interface for each type.
      type={type as 'text'}
      autocomplete="off"
      onInput={({ currentTarget }: Changed) => onInput(currentTarget.value)}
      onChange={({ currentTarget }: Changed) => onEntered?.(currentTarget.value)}
      {...props}
    />
  );
}

/** A text of several lines. */
export function TextArea({
  onInput,
  ...props
}: Omit<TextProps, 'type' | 'min' | 'max' | 'step' | 'onEntered'>) {
  return <textarea onInput={({ currentTarget }) => onInput(currentTarget.value)} {...props} />;
}
