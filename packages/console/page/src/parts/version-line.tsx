import type { ListedVersion, VersionEffects } from '../answers.ts';
import { clientPath } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { authorOf, Button, Effects, FindingCount, localTime, Time } from './basics.tsx';

const texts = TEXTS.history;

interface Props {
  readonly version: ListedVersion;
  readonly live: ListedVersion | undefined;
  /** The address of its comparison with what is live. */
  readonly compareHref: string | undefined;
  readonly onRestore: () => void;
}

/** A version in a line: who made it, when, why, and what it changed. The rest is below it. */
export function VersionLine({ version, live, compareHref, onRestore }: Props) {
  const { clientId, at, message, sameAs, source, isStartUnknown, rollout } = version;
  const isUnchanged = version.state === 'unchanged';
  const isUnread = (isUnchanged && !rollout) || version.state === 'removed' || version.isTooLarge;
  const path = `${clientPath(clientId)}/versions/${version.version}`;
  const { value, failure } = useLoaded<VersionEffects>(isUnread ? undefined : path);
  const isLiveAgain = version.state === 'replaced' && version.digest === live?.digest;
  const isRestorable = version.state === 'replaced' && !version.isTooLarge && !isLiveAgain;
  return (
    <li class="version">
      <details>
        <summary>
          <strong>{texts.version(version.version)}</strong>
          {version.state === 'live' && <span class="badge good">{texts.live}</span>}
          <span>{isStartUnknown ? texts.startUnknown : <Time at={at} />}</span>
          {!isStartUnknown && <span class="who">{authorOf(version)}</span>}
          {message !== undefined && <span class="message">{message}</span>}
          {!isUnchanged && sameAs !== undefined && <span>{texts.sameAs(sameAs)}</span>}
          {version.rolloutChange !== undefined && <span>{rolloutOf(version)}</span>}
          <span class="quiet">{whatOf(version, value)}</span>
        </summary>
        <p class="row spread">
          {source === 'manualEdit' && !isStartUnknown && (
            <span class="badge">{TEXTS.manualEdit}</span>
          )}
          <FindingCount findings={version.findings} errors={version.errors} />
          {version.liveFor !== undefined && (
            <span class="quiet">{texts.liveFor(TEXTS.duration(version.liveFor))}</span>
          )}
          {isLiveAgain && <span class="quiet">{texts.liveAgain}</span>}
        </p>
        {isUnchanged && !rollout && <p class="quiet">{texts.eachChange}</p>}
        {failure && <p>{failure.message}</p>}
        {value && 'sentences' in value && !isUnchanged && <Effects>{value.sentences}</Effects>}
        {value && 'unknown' in value && <p>{texts.unknownChanges[value.unknown]}</p>}
        {rollout && value?.candidate && (
          <>
            <p>{texts.forDevices(rollout)}</p>
            <Effects>{value.candidate}</Effects>
          </>
        )}
        {(isRestorable || value?.candidate) && (
          <p class="actions">
            {isRestorable && <Button onClick={onRestore}>{texts.restore}</Button>}
            {value?.candidate && (
              <a href={clientHref(clientId, 'configuration', { candidate: `${version.version}` })}>
                {texts.openCandidate}
              </a>
            )}
            {compareHref && <a href={compareHref}>{texts.compareWithLive}</a>}
          </p>
        )}
      </details>
    </li>
  );
}

/** What a version changed, in a line. */
function whatOf(version: ListedVersion, changes?: VersionEffects): string {
  const { state, isDeleted, isTooLarge, rolloutChange, sameAs = 0 } = version;
  if (isDeleted) return texts.deleted;
  if (isTooLarge) return texts.tooLarge;
  const isUnchanged = state === 'unchanged';
  if (rolloutChange === 'stopped') return texts.stopped(sameAs);
  if (isUnchanged && rolloutChange === undefined) return texts.unchanged(sameAs);
  if (!changes) return '…';
  const sentences = isUnchanged ? changes.candidate : 'sentences' in changes && changes.sentences;
  if (!sentences) return '';
  const [first = texts.noChanges, ...others] = sentences;
  const words = `${first}${others.length > 0 ? texts.andMore(others.length) : ''}`;
  return isUnchanged ? texts.candidate(words) : words;
}

/** Says what a version did to a rollout, and what became of that. */
function rolloutOf({ rolloutChange = 'ended', rolloutEnd }: ListedVersion): string {
  if (typeof rolloutChange !== 'number' || !rolloutEnd) return texts.rollout(rolloutChange);
  const until = localTime(new Date(rolloutEnd.at));
  return texts.rolloutUntil(rolloutChange, until, rolloutEnd.step);
}
