import type { ComponentChildren, TargetedFocusEvent } from 'preact';
import type { DraftFinding } from '../draft/draft.ts';
import { Findings } from '../findings/findings.tsx';
import { Icon } from './icons.tsx';

interface LabeledProps {
  readonly label: ComponentChildren;
  /** A longer explanation, behind a question mark. */
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
