import type { ComponentChildren } from 'preact';
import { type Finding, findingText } from '../../../core/finding.ts';
import { TEXTS } from '../texts.ts';
import { Button } from './basics.tsx';

interface LabeledProps {
  readonly label: string;
  readonly findings?: readonly Finding[];
  readonly children: ComponentChildren;
}

/** A control with its label, and what is wrong with it. */
export function Labeled({ label, findings = [], children }: LabeledProps) {
  return (
    <div>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children. */}
      <label>
        <span>{label}</span>
        {children}
      </label>
      <Findings findings={findings} />
    </div>
  );
}

interface FindingsProps {
  readonly findings: readonly Finding[];
  /** Removes the attribute that a finding is about. */
  readonly onRemove?: (path: Finding['path']) => void;
}

/** Shows findings beside what they are about. */
export function Findings({ findings, onRemove }: FindingsProps) {
  if (findings.length === 0) return null;
  return (
    <ul class="plain findings">
      {findings.map((finding) => {
        const { severity, code, path, message } = finding;
        const name = path.at(-1);
        return (
          <li key={JSON.stringify([path, message])} class={severity}>
            <strong>{TEXTS.editor.severity[severity]}:</strong>{' '}
            {onRemove ? findingText(finding) : sentenceOf(finding)}
            {onRemove && name !== undefined && /Attribute$|^overruled$/.test(code) && (
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

/** Writes a finding for somebody who sees its control, whose lines are numbered from 1. */
function sentenceOf({ code, path, message }: Finding): string {
  if (code === 'missing' && path.at(-1) === 'maxChars') return TEXTS.field.missingLength;
  const index = path.find((key) => typeof key === 'number');
  const subject = TEXTS.field.subject(index === undefined ? undefined : index + 1);
  const hasNoSubject = /^(is|must|has|asks|needs|differs) /.test(message);
  const text = hasNoSubject ? `${subject} ${message}` : message;
  return findingText({ path: [], message: text.charAt(0).toUpperCase() + text.slice(1) });
}
