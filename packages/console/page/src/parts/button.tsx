import type { ButtonHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icons.tsx';

export function Button(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" class="outline secondary" {...props} />;
}

const OUTCOMES = { copied: 'Copied', refused: 'Select it, and copy it yourself' };

interface CopyProps {
  readonly text: string;
  /** The class of an outline, unless the button is what goes on. */
  readonly class?: string;
  readonly onCopied?: () => void;
  readonly children: string;
}

/** Copies a text. The button says whether it could. */
export function CopyButton({ text, onCopied, children, ...rest }: CopyProps) {
  const [outcome, setOutcome] = useState<keyof typeof OUTCOMES>();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setOutcome('copied');
        onCopied?.();
      },
      () => setOutcome('refused'),
    );
  return (
    <>
      <Button {...rest} onClick={copy}>
        <Icon name={outcome === 'copied' ? 'done' : 'copy'} />{' '}
        {outcome ? OUTCOMES[outcome] : children}
      </Button>
      {outcome === 'refused' && <code>{text}</code>}
    </>
  );
}

/** The attributes of a control that Ctrl-Enter presses, too. */
export const PUBLISH_KEY = { 'aria-keyshortcuts': 'Control+Enter Meta+Enter', title: 'Ctrl-Enter' };

/** True for Ctrl-Enter, and for Command-Enter on a Mac. */
export function isPublishKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey);
}
