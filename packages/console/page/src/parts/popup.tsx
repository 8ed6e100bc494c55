import type { ComponentChildren, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';

interface PopupProps {
  readonly class: string;
  readonly summary: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Opens its content over the page, until the focus leaves it or a button of it is pressed. */
export function Popup({ class: name, summary, children }: PopupProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      class={`popup ${name}`}
      onToggle={({ currentTarget: { open } }) => setIsOpen(open)}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) currentTarget.open = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return;
        // A dialog around it stays.
        event.preventDefault();
        close(event);
      }}
      onClick={(event) => (event.target as Element).closest('button') && close(event)}
    >
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  );
}

/** A dialog that a button opens gives the focus back to the summary, as the button is gone. */
function close({ currentTarget }: TargetedEvent<HTMLDetailsElement>): void {
  currentTarget.querySelector('summary')?.focus();
  currentTarget.open = false;
}
