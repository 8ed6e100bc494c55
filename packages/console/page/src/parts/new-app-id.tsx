import { say } from 'customer-data-api/sentences';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { NewAppId } from '../answers.ts';
import { CopyButton } from './button.tsx';
import { Question } from './dialog.tsx';
import { latestTime } from './time-text.tsx';

/** An App-Id that was just made. */
export interface NamedAppId {
  readonly made: NewAppId;
  /** Empty if it was given none. */
  readonly name: string;
}

/** Shows it only now, in the page, where no key closes it, and asks before it is left uncopied. */
export function NewAppIdBox({ made: { appId, liveAt }, name }: NamedAppId) {
  /** False once it was copied, or somebody leaves all the same. */
  const isGuarded = useRef(true);
  /** The address that somebody wants to open before it was copied. */
  const [url, setUrl] = useState<string>();
  const release = () => {
    isGuarded.current = false;
  };
  useEffect(() => {
    const over = new AbortController();
    const onNavigate = (event: NavigateEvent) => {
      if (!isGuarded.current || !event.hashChange || !event.cancelable) return;
      event.preventDefault();
      setUrl(event.destination.url);
    };
    // The browser asks in its own words before it closes or loads the page.
    const onUnload = (event: Event) => isGuarded.current && event.preventDefault();
    navigation.addEventListener('navigate', onNavigate, over);
    addEventListener('beforeunload', onUnload, over);
    return () => over.abort();
  }, []);
  return (
    <div class="done" role="status" onCopy={release}>
      <p>
        <strong>
          {name ? ['The App-Id ', <bdi>{`"${name}"`}</bdi>] : 'This App-Id'} is shown only now. Copy
          it, and give it to the developers of the app.
        </strong>{' '}
        {`It works from ${latestTime(liveAt)} at the latest. If it is lost, add another one.`}
      </p>
      <p class="actions">
        <code class="once">{appId}</code>
        <CopyButton class="primary" text={appId} onCopied={release}>
          Copy
        </CopyButton>
      </p>
      {url !== undefined && (
        <Question
          title={say`Leave without the App-Id${name ? say` "${name}"` : []}?`}
          submit="Leave"
          onSubmit={() => {
            release();
            location.href = url;
          }}
          onClose={() => setUrl(undefined)}
        >
          It was not copied, and nothing shows it again.
        </Question>
      )}
    </div>
  );
}
