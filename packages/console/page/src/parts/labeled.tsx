import { type Finding, findingText } from 'customer-data-api/configuration';
import type { ComponentChildren } from 'preact';
import { languageName } from '../languages.ts';
import { TEXTS } from '../texts.ts';
import { Button } from './basics.tsx';

interface LabeledProps {
  readonly label: ComponentChildren;
  readonly findings?: readonly Finding[];
  /** The line of each entry of a list. */
  readonly lines?: readonly number[] | undefined;
  readonly children: ComponentChildren;
}

/** A control with its label, and what is wrong with it. */
export function Labeled({ label, findings = [], lines, children }: LabeledProps) {
  return (
    <div>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children. */}
      <label>
        <span>{label}</span>
        {children}
      </label>
      <Findings {...{ findings, lines }} />
    </div>
  );
}

interface FindingsProps extends Pick<LabeledProps, 'lines'> {
  readonly findings: readonly Finding[];
  /** Removes the attribute that a finding is about. */
  readonly onRemove?: (path: Finding['path']) => void;
}

/** Shows findings beside what they are about. */
export function Findings({ findings, lines, onRemove }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <ul class="plain findings">
      {findings.map((finding) => {
        const { severity, code, path, message } = finding;
        const name = path.at(-1);
        return (
          <li key={JSON.stringify([path, message])} class={severity}>
            <strong>{TEXTS.editor.severity[severity]}:</strong>{' '}
            {onRemove ? findingText(finding) : sentenceOf(finding, lines)}
            {onRemove &&
              name !== undefined &&
              /Attribute$|^(overruled|unknownOption|duplicateLanguage)$/.test(code) && (
                <Button onClick={() => onRemove(path)}>
                  {TEXTS.field.removeAttribute(`${name}`)}
                </Button>
              )}
          </li>
        );
      })}
    </ul>
  );
}

/** The most findings in a list. */
const MAX_FINDINGS = 50;

/** Lists findings away from what they are about, with the captions and the names of controls. */
export function PlacedFindings({ findings }: { readonly findings: readonly Finding[] }) {
  const more = findings.length - MAX_FINDINGS;
  return (
    <ul class="findings">
      {findings.slice(0, MAX_FINDINGS).map((finding) => (
        <li key={JSON.stringify([finding.path, finding.message])} class={finding.severity}>
          <strong>{TEXTS.editor.severity[finding.severity]}:</strong> {placeOf(finding)}
          {sentenceOf(finding)}
        </li>
      ))}
      {more > 0 && <li>{TEXTS.publish.moreWarnings(more)}</li>}
    </ul>
  );
}

function placeOf({ fieldName, path }: Finding): string {
  const [, , , list, index] = path;
  const isOption = list === 'optionsArray' && typeof index === 'number';
  const name = isOption ? TEXTS.field.option(index + 1) : labelOf(path);
  const place = [fieldName && `“${fieldName}”`, name].filter(Boolean).join(', ');
  return place && `${place}: `;
}

/** Names an attribute as its control does, without the explanation; empty for a field itself. */
export function labelOf(path: Finding['path']): string {
  const labels: Readonly<Record<string, string>> = TEXTS.field.attributes;
  const at = path.indexOf('translations');
  if (at !== -1 && path.length > at + 2) {
    const [tag, ...rest] = path.slice(at + 1);
    const label = rest[1] === 'options' ? `${rest[2]}` : labelOf(rest);
    return TEXTS.languages.textIn(label, languageName(`${tag}`));
  }
  const name = path.findLast((key) => labels[key] !== undefined);
  const [label] = String(labels[name ?? ''] ?? path.slice(2).join('.')).split(/,| \(/);
  return label ?? '';
}

/** Writes a finding for somebody who sees its control. */
function sentenceOf({ code, path, message }: Finding, lines?: readonly number[]): string {
  const { missingLength, subject } = TEXTS.field;
  if (code === 'missing' && path.at(-1) === 'maxChars') return missingLength;
  const index = path.find((key) => typeof key === 'number');
  const line = index === undefined ? undefined : lines?.[index];
  const isOfAll = code === 'notTranslated' || code === 'sameTranslation';
  const place = path.at(-1) === 'value' ? 'value' : line === undefined ? 'this' : 'line';
  const name = isOfAll ? 'texts' : place;
  const hasNoSubject = /^(is|must|has|asks|needs|differs) /.test(message);
  const text = hasNoSubject ? `${subject[name](line)} ${message}` : message;
  return findingText({ path: [], message: text.charAt(0).toUpperCase() + text.slice(1) });
}
