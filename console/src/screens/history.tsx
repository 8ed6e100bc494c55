import { useState } from 'preact/hooks';
import { clientPath } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { authorOf, Button, Command, Sentences, Time, Wait } from '../parts/basics.tsx';
import { PublishDialog } from '../parts/publish.tsx';
import { TEXTS } from '../texts.ts';
import type { Version, VersionChanges, Versions } from '../types.ts';

/** Shows the versions of a client, and restores them. */
export function HistoryScreen({ clientId }: { readonly clientId: string }) {
  const { value, failure, reload } = useLoaded<Versions>(`${clientPath(clientId)}/versions`);
  const [restores, setRestores] = useState<number>();
  if (!value) return <Wait failure={failure} retry={reload} />;
  const { versions, command } = value;
  const [live, previous] = versions;
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
      {!live && <p>{TEXTS.history.none}</p>}
      {live && previous && <p>{restore(TEXTS.history.undo(previous.version), previous)}</p>}
      <ol class="plain">
        {versions.map((version, index) => (
          <li key={version.version} class="box">
            <Entry version={version} next={versions[index - 1]} />
            <Changes version={version} />
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

/** What a version changed, as soon as the operator asks. */
function Changes({ version: { clientId, version } }: { readonly version: Version }) {
  const [path, setPath] = useState<string>();
  const { value, failure, reload } = useLoaded<VersionChanges>(path);
  const { changes, unknownChanges, noChanges } = TEXTS.history;
  const { sentences } = value ?? {};
  return (
    <details onToggle={() => setPath(`${clientPath(clientId)}/versions/${version}`)}>
      <summary>{changes}</summary>
      {path && !value && <Wait failure={failure} retry={reload} />}
      {sentences && <Sentences>{sentences.length > 0 ? sentences : [noChanges]}</Sentences>}
      {value && !sentences && <p>{unknownChanges}</p>}
    </details>
  );
}

interface EntryProps {
  readonly version: Version;
  /** The version that replaced it; undefined if it is live. */
  readonly next: Version | undefined;
}

/** A version: who made it, when, why, and how long it was live. */
function Entry({ version, next }: EntryProps) {
  const { at, message, restores, problems, isDeleted, isTooLarge, source } = version;
  const { history } = TEXTS;
  // A configuration that is older than its history is recorded by the first change.
  const isLate = source === 'outside' && next?.at === at;
  const liveFor = (end: Version) =>
    history.liveFor(TEXTS.duration(Math.max(0, (Date.parse(end.at) - Date.parse(at)) / 1000)));
  return (
    <>
      <p>
        <strong>{history.version(version.version)}</strong>{' '}
        <span class={next ? 'quiet' : 'badge good'}>
          {isLate ? history.startUnknown : next ? liveFor(next) : history.live}
        </span>{' '}
        {source === 'outside' && !isLate && <span class="badge">{TEXTS.manualEdit}</span>}{' '}
        {problems > 0 && <span class="badge bad">{TEXTS.counted(problems, 'problem')}</span>}
      </p>
      <p>
        {!isLate && <Time at={at} />} {source === 'published' && history.by(authorOf(version))}
        {restores !== undefined && `, ${history.restores(restores)}`}
      </p>
      {message !== undefined && <p class="message">{message}</p>}
      {isDeleted && <p>{history.deleted}</p>}
      {isTooLarge && <p>{history.tooLarge}</p>}
    </>
  );
}
