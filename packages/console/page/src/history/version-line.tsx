import { counted, isPreview, shareText } from 'customer-data-api/configuration';
import {
  effectSentence,
  joined,
  plainText,
  type Sentence as Text,
} from 'customer-data-api/sentences';
import { UNDO_OBSTACLES } from 'customer-data-api-editor/browser';
import type { ListedVersion, VersionEffects } from '../answers.ts';
import { clientPath, useLoaded } from '../api.ts';
import { FindingCount } from '../findings/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Effects, Sentence } from '../parts/sentences.tsx';
import { sentenceTime, Time } from '../parts/time-text.tsx';
import { clientHref } from '../route.ts';
import { authorOf, TEXTS } from '../texts.ts';

const UNKNOWN_CHANGES = {
  oldest: 'The first version that is known.',
  tooLarge: 'This version was too large to be recorded, so its changes are unknown.',
  tooLargeBefore: 'The version before it was too large to be recorded, so they are unknown.',
};

interface Props {
  readonly version: ListedVersion;
  readonly live: ListedVersion | undefined;
  readonly isNewest: boolean;
  /** True beside a comparison with it. */
  readonly isCompared: boolean;
  /** The address of its comparison with what is live. */
  readonly compareHref: string | undefined;
  readonly onRestore: () => void;
  /** Undoes it, if nothing came after it; undefined for an earlier version. */
  readonly onUndo: (() => void) | undefined;
}

/** The names of the columns, for a screen reader. */
const COLUMNS = ['Effect on customers', 'Reason', 'Who', 'When', 'Version'];

/** A version in a line of columns: what it changed, why, who and when. The rest is below it. */
export function VersionLine(props: Props) {
  const { version, live, isNewest, isCompared, compareHref, onRestore } = props;
  const { clientId, at, message, sameAs, source, isStartUnknown } = version;
  const { rollout, rolloutEffect, rolloutEnd } = version;
  const isUnchanged = version.state === 'unchanged';
  const isUnread = (isUnchanged && !rollout) || version.state === 'removed' || version.isTooLarge;
  const path = `${clientPath(clientId)}/versions/${version.version}`;
  const { value, failure } = useLoaded<VersionEffects>(isUnread ? undefined : path);
  // A publication beside a preview left its candidate as it was.
  const candidate = rolloutEffect && value?.candidate;
  const hasEffects = value && 'effects' in value && !isUnchanged;
  const isLiveAgain = version.state === 'replaced' && version.digest === live?.digest;
  const isRestorable = version.state === 'replaced' && !version.isTooLarge && !isLiveAgain;
  const cells = [
    <span>
      <Sentence>{whatOf(version, value)}</Sentence>
    </span>,
    message !== undefined && <bdi class="quiet">{message}</bdi>,
    !isStartUnknown && <bdi class="quiet">{authorOf(version)}</bdi>,
    !isStartUnknown && <Time at={at} isDayKnown />,
    <span class="actions">
      <strong>{version.version}</strong>
      {version.state === 'live' && (
        <span class="badge good">{isNewest ? 'live' : 'fields live'}</span>
      )}
      {rolloutEffect && <span class="badge">{chipOf(version)}</span>}
      {!isUnchanged && sameAs !== undefined && <span class="quiet">{`= version ${sameAs}`}</span>}
    </span>,
  ];
  return (
    <li class="version" aria-current={isCompared ? 'true' : undefined}>
      <details>
        <summary>
          {cells.map((cell, column) => (
            <span key={COLUMNS[column]}>
              {cell && (
                <>
                  <span class="hidden">{`${COLUMNS[column]}: `}</span>
                  {cell}
                </>
              )}
            </span>
          ))}
        </summary>
        <p class="actions">
          {source === 'manualEdit' && !isStartUnknown && (
            <span class="badge warning">{TEXTS.manualEdit}</span>
          )}
          <FindingCount findings={version.findings} errors={version.errors} />
          {version.liveFor !== undefined && (
            <span class="quiet">{`live for ${duration(version.liveFor)}`}</span>
          )}
          {isLiveAgain && <span class="quiet">the same as what is live</span>}
          {rolloutEffect && <span class="quiet">{effectSentence(rolloutEffect)}</span>}
          {rolloutEnd && (
            <span class="quiet">{`until ${sentenceTime(rolloutEnd.at)}: ${plainText(effectSentence(rolloutEnd.effect))}`}</span>
          )}
        </p>
        {!isUnchanged && version.access.length > 0 && <Effects>{version.access}</Effects>}
        {isUnchanged && !rollout && (
          <p class="quiet">
            Each change of who may call or of a rollout is a version, too. The candidate of a
            rollout stays with the versions that had it.
          </p>
        )}
        {failure && <p>{failure.message}</p>}
        {hasEffects && value.effects.length > 1 && <Effects>{value.effects}</Effects>}
        {rollout && candidate && (
          <>
            <p>{`Candidate for ${shareText(rollout)}:`}</p>
            <Effects>{candidate}</Effects>
          </>
        )}
        <Undo {...props} obstacle={version.notUndone ?? value?.notUndone} />
        {(isRestorable || candidate) && (
          <p class="actions">
            {isRestorable && <Button onClick={onRestore}>Compare and restore…</Button>}
            {candidate && (
              <a href={clientHref(clientId, 'configuration', { candidate: `${version.version}` })}>
                Open the candidate as a draft
              </a>
            )}
            {compareHref && <a href={compareHref}>Compare with what is live</a>}
          </p>
        )}
      </details>
    </li>
  );
}

interface UndoProps extends Pick<Props, 'version' | 'onUndo'> {
  readonly obstacle: keyof typeof UNDO_OBSTACLES | undefined;
}

/** Undoes a version and none after it, or says why that is impossible. */
function Undo({ version: { clientId, version }, onUndo, obstacle }: UndoProps) {
  const name = 'Undo only this version';
  if (obstacle) {
    return <p class="quiet">{`It cannot be undone alone, ${UNDO_OBSTACLES[obstacle]}.`}</p>;
  }
  return (
    <p class="actions">
      {onUndo ? (
        <Button onClick={onUndo}>{`${name}…`}</Button>
      ) : (
        <a href={clientHref(clientId, 'configuration', { undo: `${version}` })}>{name}</a>
      )}
      <span class="quiet">What came after it stays.</span>
    </p>
  );
}

function duration(seconds: number): string {
  const units = { day: 86_400, hour: 3600, minute: 60 };
  const [unit, size] = Object.entries(units).find(([, one]) => seconds >= 2 * one) ?? [];
  return counted(Math.floor(seconds / (size ?? 1)), unit ?? 'second');
}

/** Describes the changes by a version, in a line. */
function whatOf(version: ListedVersion, found?: VersionEffects): Text {
  const { state, isDeleted, isTooLarge, rolloutEffect, sameAs = 0 } = version;
  if (isDeleted) return 'The client was deleted.';
  if (isTooLarge) return 'Too large to be recorded.';
  const isUnchanged = state === 'unchanged';
  if (rolloutEffect?.code === 'rolloutStopped') return `Back to version ${sameAs} for everybody.`;
  if (isUnchanged && !rolloutEffect) {
    const sentences = version.access.map((one) => effectSentence(one));
    return joined([...sentences, [`Fields as in version ${sameAs}.`]], ' ');
  }
  if (!found) return '…';
  if (!isUnchanged && 'unknown' in found) return UNKNOWN_CHANGES[found.unknown];
  const effects = isUnchanged || 'unknown' in found ? found.candidate : found.effects;
  if (!effects) return '';
  const [first, ...others] = effects;
  return [
    isUnchanged ? 'Candidate: ' : '',
    ...(first ? effectSentence(first) : [TEXTS.noEffects]),
    others.length > 0 ? ` … and ${others.length} more` : '',
  ];
}

function chipOf({ rollout, rolloutEnd }: ListedVersion): string {
  if (!rollout) return 'rollout ended';
  const name = isPreview(rollout) ? 'preview' : `rollout ${rollout.percent} %`;
  return rolloutEnd ? `${name}, ended` : name;
}
