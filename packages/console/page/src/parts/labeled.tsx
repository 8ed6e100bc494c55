import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';
import { Popup } from './popup.tsx';

interface LabeledProps {
  readonly label: ComponentChildren;
  /** A longer explanation, behind a question mark. */
  readonly help?: string | undefined;
  /** The errors and warnings about the value. */
  readonly findings?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A control with its label, its explanation, and what is wrong with it. */
export function Labeled({ label, help, findings, children }: LabeledProps) {
  return (
    <div class="labeled">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children. */}
      <label>
        <span>{label}</span>
        {children}
      </label>
      {help !== undefined && <Help about={label}>{help}</Help>}
      {findings}
    </div>
  );
}

/** A heading, with its explanation. */
export function Titled({ title, help }: { readonly title: string; readonly help: string }) {
  return (
    <div class="labeled">
      <h2>{title}</h2>
      <Help about={title}>{help}</Help>
    </div>
  );
}

/** An explanation behind a question mark. */
function Help({ about, children }: { about: ComponentChildren; children: string }) {
  return (
    <Popup
      class="help"
      summary={
        <>
          <Icon name="help" />
          <span class="hidden">About: {about}</span>
        </>
      }
    >
      <p tabIndex={-1}>{children}</p>
    </Popup>
  );
}
