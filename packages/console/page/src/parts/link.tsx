import { useState } from 'preact/hooks';
import type { Deployment } from '../answers.ts';
import { keepSecretOf } from '../api.ts';
import { TEXTS } from '../texts.ts';
import { Alert, Button, TextInput } from './basics.tsx';
import { Labeled } from './labeled.tsx';

const texts = TEXTS.link;

/** Copies the address of what is shown. It has no secret: a colleague opens it in their console. */
export function CopyLink({ deployment, href }: { deployment: Deployment; readonly href: string }) {
  const [state, setState] = useState<'copy' | 'copied' | 'notCopied'>('copy');
  const of = `${href.includes('?') ? '&' : '?'}${new URLSearchParams({ of: deployment.id })}`;
  const url = `${location.origin}${location.pathname}${href}${of}`;
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => setState('copied'),
      () => setState('notCopied'),
    );
  return (
    <p class="actions">
      <Button onClick={copy}>{texts[state]}</Button>
      {state === 'copied' && <span class="quiet">{texts.howToOpen}</span>}
      {state === 'notCopied' && <code>{url}</code>}
    </p>
  );
}

interface OtherProps {
  readonly deployment: Deployment;
  readonly query: URLSearchParams;
}

/** Warns if a link is of another deployment than this console. */
export function OtherDeployment({ deployment: { id }, query }: OtherProps) {
  const of = query.get('of') ?? id;
  return of === id ? null : <Alert>{texts.otherDeployment(of, id)}</Alert>;
}

/** Takes the secret from an address of the console, and stays at what a link leads to. */
export function ConsoleAddress() {
  const [text, setText] = useState('');
  const open = (event: Event) => {
    event.preventDefault();
    if (keepSecretOf(text)) location.reload();
  };
  return (
    <form onSubmit={open}>
      <Labeled label={texts.address}>
        <TextInput value={text} onInput={setText} required />
      </Labeled>
      <p class="actions">
        <button type="submit">{texts.open}</button>
      </p>
    </form>
  );
}
