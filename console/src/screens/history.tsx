import { useState } from 'preact/hooks';
import { clientPath } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { authorOf, Button, Command, Time, Wait } from '../parts/basics.tsx';
import { Phones, PublishDialog } from '../parts/publish.tsx';
import { TEXTS } from '../texts.ts';
import type { Content, Version, Versions } from '../types.ts';

/** Shows the versions of a client, compares them with what is live, and restores them. */
export function HistoryScreen({ clientId }: { readonly clientId: string }) {
  const { value, failure, reload } = useLoaded<Versions>(`${clientPath(clientId)}/versions`);
  const [selected, setSelected] = useState<number>();
  const [restoring, setRestoring] = useState<{ readonly version: number; readonly base: string }>();
  if (!value) return <Wait failure={failure} retry={reload} />;
  const { versions, command } = value;
  const [live, previous] = versions;
  const restore = ({ version }: Version) => live && setRestoring({ version, base: live.digest });
  return (
    <>
      {versions.length === 0 && <p>{TEXTS.history.none}</p>}
      {previous && isRestorable(previous) && (
        <p>
          <Button onClick={() => restore(previous)}>{TEXTS.history.undo}</Button>
        </p>
      )}
      <ol class="timeline">
        {versions.map((version, index) => (
          <li key={version.version} class={index === 0 ? 'live' : ''}>
            <Entry version={version} next={versions[index - 1]} />
            {index > 0 && isRestorable(version) && (
              <p class="actions">
                <Button
                  aria-expanded={selected === version.version}
                  onClick={() =>
                    setSelected(selected === version.version ? undefined : version.version)
                  }
                >
                  {TEXTS.history.show}
                </Button>
                <Button onClick={() => restore(version)}>{TEXTS.history.restore}</Button>
              </p>
            )}
            {selected === version.version && live && (
              <Comparison clientId={clientId} version={version.version} live={live.version} />
            )}
          </li>
        ))}
      </ol>
      <Command>{command}</Command>
      {restoring && (
        <PublishDialog
          clientId={clientId}
          change={restoring}
          onPublished={() => setSelected(undefined)}
          onClose={() => {
            setRestoring(undefined);
            reload();
          }}
        />
      )}
    </>
  );
}

function isRestorable({ isDeleted, isTooLarge }: Version): boolean {
  return isDeleted !== true && isTooLarge !== true;
}

interface EntryProps {
  readonly version: Version;
  /** The version that replaced it; undefined if it is live. */
  readonly next: Version | undefined;
}

/** A version: who made it, when, why, and how long it was live. */
function Entry({ version, next }: EntryProps) {
  const { at, message, restores, problems, isDeleted, isTooLarge } = version;
  const seconds = next && Math.max(0, (Date.parse(next.at) - Date.parse(at)) / 1000);
  const { history } = TEXTS;
  return (
    <>
      <p>
        <strong>{history.selected(version.version)}</strong>{' '}
        <span class={next ? 'quiet' : 'badge good'}>
          {seconds === undefined ? history.live : history.liveFor(TEXTS.ago(seconds))}
        </span>{' '}
        {version.source === 'outside' && <span class="badge">{TEXTS.manualEdit}</span>}{' '}
        {problems > 0 && <span class="badge bad">{TEXTS.counted(problems, 'problem')}</span>}
      </p>
      <p>
        <Time at={at} /> {version.source === 'published' && history.by(authorOf(version))}
        {restores !== undefined && `, ${history.restores(restores)}`}
      </p>
      {message !== undefined && <p class="message">{message}</p>}
      {isDeleted && <p>{history.deleted}</p>}
      {isTooLarge && <p>{history.tooLarge}</p>}
    </>
  );
}

interface ComparisonProps {
  readonly clientId: string;
  readonly version: number;
  readonly live: number;
}

/** Two phones: a version and the live one. */
function Comparison({ clientId, version, live }: ComparisonProps) {
  const path = `${clientPath(clientId)}/versions`;
  const old = useLoaded<Content>(`${path}/${version}`);
  const now = useLoaded<Content>(`${path}/${live}`);
  if (!old.value || !now.value) {
    return (
      <Wait failure={old.failure ?? now.failure} retry={old.failure ? old.reload : now.reload} />
    );
  }
  return (
    <Phones
      before={old.value}
      after={now.value}
      titles={[TEXTS.history.selected(version), TEXTS.history.now]}
    />
  );
}
