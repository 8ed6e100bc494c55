import { useState } from 'preact/hooks';
import { clientPath } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { authorOf, Button, Command, Effects, FindingCount, Time, Wait } from '../parts/basics.tsx';
import { PublishDialog } from '../parts/publish.tsx';
import { TEXTS } from '../texts.ts';
import type { ListedVersion, VersionChanges, Versions } from '../types.ts';

/** Shows the versions of a client, and restores them. */
export function HistoryScreen({ clientId }: { readonly clientId: string }) {
  const { value, failure, reload } = useLoaded<Versions>(`${clientPath(clientId)}/versions`);
  const [restores, setRestores] = useState<number>();
  if (!value) return <Wait failure={failure} retry={reload} />;
  const { versions, previous, command } = value;
  const live = versions.find(({ state }) => state === 'live');
  const close = () => {
    setRestores(undefined);
    reload();
  };
  return (
    <>
      {versions.length === 0 && <p>{TEXTS.history.none}</p>}
      {previous !== undefined && (
        <p>
          <Button onClick={() => setRestores(previous)}>{TEXTS.history.undo(previous)}</Button>
        </p>
      )}
      <ol class="plain">
        {versions.map((version) => (
          <li key={version.version} class="box">
            <Entry version={version} isLiveAgain={isLiveAgain(version, live)} />
            {isChange(version) && <Changes version={version} />}
            {live && isRestorable(version, live) && (
              <Button onClick={() => setRestores(version.version)}>{TEXTS.history.restore}</Button>
            )}
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

const isChange = ({ state }: ListedVersion) => state !== 'unchanged';

/** True for an earlier version with the fields that are live. */
function isLiveAgain({ state, digest }: ListedVersion, live?: ListedVersion): boolean {
  return state === 'replaced' && digest === live?.digest;
}

function isRestorable(version: ListedVersion, live: ListedVersion): boolean {
  const { state, isTooLarge } = version;
  return state === 'replaced' && !isTooLarge && !isLiveAgain(version, live);
}

/** What a version changed, as soon as the operator asks. */
function Changes({ version: { clientId, version } }: { readonly version: ListedVersion }) {
  const [path, setPath] = useState<string>();
  const { value, failure, reload } = useLoaded<VersionChanges>(path);
  return (
    <details onToggle={() => setPath(`${clientPath(clientId)}/versions/${version}`)}>
      <summary>{TEXTS.history.changes}</summary>
      {path && !value && <Wait failure={failure} retry={reload} />}
      {value && 'sentences' in value && <Effects>{value.sentences}</Effects>}
      {value && 'unknown' in value && <p>{TEXTS.history.unknownChanges[value.unknown]}</p>}
    </details>
  );
}

interface EntryProps {
  readonly version: ListedVersion;
  readonly isLiveAgain: boolean;
}

/** A version: who made it, when, why, and how long it was live. */
function Entry({ version, isLiveAgain }: EntryProps) {
  const { at, message, restores, isDeleted, isTooLarge, source, isStartUnknown } = version;
  const { history } = TEXTS;
  return (
    <>
      <p class="row wide">
        <strong>{history.version(version.version)}</strong>
        <span class={version.state === 'live' ? 'badge good' : 'quiet'}>{liveTime(version)}</span>
        {isLiveAgain && <span class="quiet">{history.liveAgain}</span>}
        {source === 'outside' && !isStartUnknown && <span class="badge">{TEXTS.manualEdit}</span>}
        <FindingCount problems={version.problems} errors={version.errors} />
      </p>
      <p>
        {isStartUnknown ? history.startUnknown : <Time at={at} />}
        {source === 'published' && ` ${history.by(authorOf(version))}`}
        {restores !== undefined && `, ${history.restores(restores)}`}
      </p>
      {message !== undefined && <p class="message">{message}</p>}
      {isDeleted && <p>{history.deleted}</p>}
      {isTooLarge && <p>{history.tooLarge}</p>}
    </>
  );
}

function liveTime({ state, liveFor }: ListedVersion): string {
  const { live, liveFor: told, unchanged } = TEXTS.history;
  if (state === 'live') return live;
  if (state === 'unchanged') return unchanged;
  return liveFor === undefined ? '' : told(TEXTS.duration(liveFor));
}
