import { counted, type Finding, findingText, languageName } from 'customer-data-api/configuration';
import type { ComponentChildren, TargetedFocusEvent } from 'preact';
import type { DraftFinding } from '../editor/draft.ts';
import { ATTRIBUTES, TEXTS } from '../texts.ts';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';

const SEVERITIES = { error: 'Error', warning: 'Warning' };

interface LabeledProps {
  readonly label: ComponentChildren;
  /** What else there is to know, which is behind a question mark. */
  readonly help?: string | undefined;
  readonly findings?: readonly DraftFinding[];
  /** The line of each entry of a list. */
  readonly lines?: readonly number[] | undefined;
  readonly children: ComponentChildren;
}

/** A control with its label, and what is wrong with it. */
export function Labeled({ label, help, findings = [], lines, children }: LabeledProps) {
  return (
    <div class="labeled">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children. */}
      <label>
        <span>{label}</span>
        {children}
      </label>
      {help !== undefined && (
        <details class="help" onFocusOut={closeIfLeft}>
          <summary class="help-mark">
            <Icon name="help" />
            <span class="hidden">About: {label}</span>
          </summary>
          <p tabIndex={-1}>{help}</p>
        </details>
      )}
      <Findings {...{ findings, lines }} />
    </div>
  );
}

/** Closes a help that the focus has left. */
function closeIfLeft({ currentTarget, relatedTarget }: TargetedFocusEvent<HTMLDetailsElement>) {
  if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
    currentTarget.open = false;
  }
}

interface FindingsProps extends Pick<LabeledProps, 'lines'> {
  readonly findings: readonly DraftFinding[];
  /** Removes the attribute that a finding is about. */
  readonly onRemove?: (path: Finding['path']) => void;
}

/** Shows findings beside what they are about. */
export function Findings({ findings, lines, onRemove }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <ul class="plain findings">
      {findings.map((finding) => {
        const { severity, code, path, number } = finding;
        return (
          <li key={number} id={`finding-${number}`} class={severity} tabIndex={-1}>
            <strong>{SEVERITIES[severity]}:</strong> {onRemove && placeOf(finding)}
            {sentenceOf(finding, lines)}{' '}
            {onRemove && path.length > 0 && /Attribute$|^notServed$/.test(code) && (
              <Button onClick={() => onRemove(path)}>{`Remove ${path.at(-1)}`}</Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The most findings in a list. */
const MAX_FINDINGS = 50;

interface PlacedFindingsProps<T extends Finding> {
  readonly findings: readonly T[];
  /** Leads to the place where a finding is solved. Undefined if there is none. */
  readonly leadTo?: (finding: T) => (() => void) | undefined;
}

/** Lists findings away from what they are about, with the captions and the names of controls. */
export function PlacedFindings<T extends Finding>({ findings, leadTo }: PlacedFindingsProps<T>) {
  const more = findings.length - MAX_FINDINGS;
  return (
    <ul class="findings">
      {findings.slice(0, MAX_FINDINGS).map((finding) => {
        const lead = leadTo?.(finding);
        const text = `${placeOf(finding)}${sentenceOf(finding)}`;
        return (
          <li key={JSON.stringify([finding.path, finding.message])} class={finding.severity}>
            <strong>{SEVERITIES[finding.severity]}:</strong>{' '}
            {lead ? <Button onClick={lead}>{text}</Button> : text}
          </li>
        );
      })}
      {more > 0 && <li>{`… and ${counted(more, 'more warning')}`}</li>}
    </ul>
  );
}

/** Names what a finding is about: the caption of the field, and the control. */
function placeOf({ code, fieldName, path: [...path] }: Finding): string {
  if (path[0] === 'fields') path.splice(0, 2);
  const [, list, index] = path;
  const isOption = list === 'optionsArray' && typeof index === 'number';
  const name = isOption ? `Option ${index + 1}` : !isOfName(code) && labelOf(path);
  const place = [fieldName && `“${fieldName}”`, name].filter(Boolean).join(', ');
  return place && `${place}: `;
}

/** True for what is wrong with the name of an attribute, rather than with its value. */
function isOfName(code: Finding['code']): boolean {
  return code.endsWith('Attribute');
}

/** Names an attribute as its control does, without the explanation; empty for a field itself. */
export function labelOf(path: Finding['path']): string {
  const labels: Readonly<Record<string, string>> = ATTRIBUTES;
  const at = path.indexOf('translations');
  if (at !== -1 && path.length > at + 1) {
    const [tag, ...rest] = path.slice(at + 1);
    const language = languageName(`${tag}`);
    const isOption = rest[1] === 'options' && rest.length > 2;
    const label = isOption ? `Option with the value “${rest[2]}”` : labelOf(rest);
    return label ? TEXTS.in(label, language) : language;
  }
  const name = path.findLast((key) => Object.hasOwn(labels, key)) ?? path.at(-1) ?? '';
  const known = Object.hasOwn(labels, name) ? labels[name] : undefined;
  const [label] = (known ?? `${name}`).split(/,| \(/);
  return label ?? '';
}

/** Writes a finding for somebody who sees its control. */
function sentenceOf({ code, path, message }: Finding, lines?: readonly number[]): string {
  if (code === 'missing' && path.at(-1) === 'maxChars') {
    return 'Enter the longest answer, such as 50.';
  }
  const [, neither] = /^must be true or false, not (.*)$/.exec(message) ?? [];
  if (neither !== undefined) {
    return `This is ${neither}, neither on nor off. Tick it; to turn it off, untick it again.`;
  }
  if (code === 'duplicateId') {
    return 'An earlier field has the same id, so apps show only that one. Duplicate this field, and remove it.';
  }
  if (code === 'unknownAttribute') {
    return `“${path.at(-1)}” is an attribute that no app knows. Remove it.`;
  }
  const index = path.find((key) => typeof key === 'number');
  const line = index === undefined ? undefined : lines?.[index];
  const place =
    path.at(-1) === 'value' ? 'The value' : line === undefined ? 'This' : `Line ${line}`;
  const name = isOfName(code) ? `“${path.at(-1)}”` : place;
  const hasNoSubject = /^(is|must|has|begins) /.test(message);
  const text = hasNoSubject ? `${name} ${message}` : message;
  return findingText({ path: [], message: text.charAt(0).toUpperCase() + text.slice(1) });
}
