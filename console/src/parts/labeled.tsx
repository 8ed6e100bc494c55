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
        const shownPath = path.filter((key) => typeof key === 'number' || onRemove);
        return (
          <li key={JSON.stringify([path, message])} class={severity}>
            <strong>{TEXTS.editor.severity[severity]}:</strong>{' '}
            {code === 'missing' && name === 'maxChars'
              ? TEXTS.field.missingLength
              : findingText({ ...finding, path: shownPath })}
            {onRemove && name !== undefined && /Attribute$/.test(code) && (
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
