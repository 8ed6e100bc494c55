import { useState } from 'preact/hooks';
import type { NewAppId } from '../answers.ts';
import { TEXTS } from '../texts.ts';
import { Button, localTime } from './basics.tsx';

/** Shows an App-Id that was just made: only now, and in the page, where no key closes it. */
export function NewAppIdBox({ made: { appId, liveAt } }: { readonly made: NewAppId }) {
  const [state, setState] = useState<'copy' | 'copied' | 'notCopied'>('copy');
  const copy = () =>
    navigator.clipboard.writeText(appId).then(
      () => setState('copied'),
      () => setState('notCopied'),
    );
  return (
    <div class="done" role="status">
      <p>
        <strong>{TEXTS.access.lost}</strong> {TEXTS.access.usableFrom(localTime(new Date(liveAt)))}
      </p>
      <p class="actions once">
        <code>{appId}</code>
        <Button onClick={copy}>{TEXTS.access[state]}</Button>
      </p>
    </div>
  );
}
