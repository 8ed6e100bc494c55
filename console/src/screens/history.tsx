import { useState } from 'preact/hooks';
import { clientPath } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { authorOf, Button, Command, Time, Wait } from '../parts/basics.tsx';
import { PublishDialog } from '../parts/publish.tsx';
import { TEXTS } from '../texts.ts';
import type { Version, Versions } from '../types.ts';

/** Shows the versions of a client, and restores them. */
export function HistoryScreen({ clientId }: { readonly clientId: string }) {
  const { value, failure, reload } = useLoaded<Versions>(`${clientPath(clientId)}/versions`);
  const [restores, setRestores] = useState<number>();
  if (!value) return <Wait failure={failure} retry={reload} />;
  const { versions, command } = value;
  const [live] = versions;
  const restore = (text: string, version?: Version) =>
    version &&
    !version.isDeleted &&
    !version.isTooLarge && <Button onClick={() => setRestores(version.version)}>{text}</Button>;
  const close = () => {
    setRestores(undefined);
    reload();
  };
  return (
    <>
      {versions.length === 0 && <p>{TEXTS.history.none}</p>}
      <p>{restore(TEXTS.history.undo, versions[1])}</p>
      <ol class="plain">
        {versions.map((version, index) => (
          <li key={version.version}>
            <Entry version={version} next={versions[index - 1]} />
            {index > 0 && restore(TEXTS.history.restore, version)}
          </li>
        ))}
      </ol>
      <Command>{command}</Command>
      {live && restores !== undefined && (
        <PublishDialog {...{ clientId, base: live.digest, restores }} onClose={close} />
      )}
    </>
  );
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
        <strong>{history.version(version.version)}</strong>{' '}
        <span class={next ? 'quiet' : 'badge good'}>
          {seconds === undefined ? history.live : history.liveFor(TEXTS.duration(seconds))}
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
