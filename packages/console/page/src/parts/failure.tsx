import type { ComponentChildren } from 'preact';
import type { FailureBody } from '../answers.ts';
import { TEXTS } from '../texts.ts';
import { Button } from './button.tsx';
import { Sentence } from './sentences.tsx';

/** Tells at once what keeps an operator from going on, to a screen reader too. */
export function Alert({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="notice" role="alert">
      {children}
    </div>
  );
}

/** The outcome of a change that failed. */
const OUTCOMES = {
  nothing: '',
  unknown: 'It is unknown whether the change was published. Try again: nothing is published twice.',
  published: 'The change was published all the same.',
};

/** Shows a failure, and a button that tries again. */
export function FailureText(props: { readonly failure: FailureBody; readonly retry?: () => void }) {
  const { failure, retry } = props;
  const { message, lines = [message], outcome = 'nothing' } = failure;
  return (
    <Alert>
      {[...lines, OUTCOMES[outcome]].filter(Boolean).map((line) => (
        <p key={JSON.stringify(line)}>
          <Sentence>{line}</Sentence>
        </p>
      ))}
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
