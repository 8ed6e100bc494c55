import { isPreview } from 'customer-data-api/configuration';
import { type Parts, say } from 'customer-data-api/sentences';
import { useEffect, useState } from 'preact/hooks';
import type { Comparison, ListedVersion, Versions } from '../answers.ts';
import { clientPath, useLoaded } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { bringIntoView } from '../parts/dialog.tsx';
import { Wait } from '../parts/failure.tsx';
import { Effects, Sentence } from '../parts/sentences.tsx';
import { dayName, sentenceTime, shortTime } from '../parts/time-text.tsx';
import { ComparisonView } from '../publish/comparison.tsx';
import { PublishDialog } from '../publish/publish.tsx';
import { clientHref } from '../route.ts';
import { authorOf, TEXTS } from '../texts.ts';
import { VersionLine } from './version-line.tsx';

/** The versions whose effects are read at once. */
const PAGE = 20;

interface Props {
  readonly clientId: string;
  /** `compare` has two versions, `3..7-candidate`, and `author` whose versions are listed. */
  readonly query: URLSearchParams;
}

/** Shows the versions of a client, compares any two of them, and restores them. */
export function HistoryScreen({ clientId, query }: Props) {
  const { value, failure, isLoading, reload } = useLoaded<Versions>(
    `${clientPath(clientId)}/versions`,
  );
  const [restores, setRestores] = useState<number>();
  const [isRestored, setIsRestored] = useState(false);
  const [shown, setShown] = useState(PAGE);
  useEffect(() => {
    if (!isRestored || isLoading || restores !== undefined) return;
    // What asked for the restoration is gone: the version that is live now has the focus.
    document.querySelector<HTMLElement>('.version summary')?.focus();
    setIsRestored(false);
  }, [isRestored, isLoading, restores]);
  if (!value) return <Wait failure={failure} retry={reload} />;
  const { versions } = value;
  const live = versions.find(({ state }) => state === 'live');
  const before = live && versions.find((one) => isBefore(one, live));
  const author = query.get('author') ?? '';
  const compare = query.get('compare') ?? '';
  const hrefOf = (changed: { readonly author?: string; readonly compare?: string }) =>
    clientHref(clientId, 'history', { author, compare, ...changed });
  const [, ...compared] = (SIDES.exec(compare) ?? []).map((side) => Number.parseInt(side, 10));
  const listed = versions.filter((one) => author === '' || authorOf(one) === author);
  return (
    <>
      {versions.length === 0 && (
        <p>Set up manually. The first version is recorded with the first change.</p>
      )}
      {live && <Undo {...{ versions, live, before }} onRestore={setRestores} />}
      {versions.length > 1 && <Choice {...{ versions, author, compare, hrefOf }} />}
      <div class="history">
        <Compared {...{ clientId, compare }} closed={hrefOf({ compare: '' })} />
        <div>
          {listed.length === 0 && versions.length > 0 && (
            <p>
              No version by <bdi>{author}</bdi>.
            </p>
          )}
          {Object.entries(Object.groupBy(listed.slice(0, shown), dayOf)).map(([day, all = []]) => (
            <section key={day} aria-label={day}>
              <h2>{day}</h2>
              <ol class="plain">
                {all.map((version) => (
                  <VersionLine
                    key={version.version}
                    {...{ version, live }}
                    isNewest={version === versions[0]}
                    isCompared={compared.includes(version.version)}
                    compareHref={live && hrefOf({ compare: sidesWith(live, version).join('..') })}
                    onRestore={() => setRestores(version.version)}
                    onUndo={
                      version === live && before ? () => setRestores(before.version) : undefined
                    }
                  />
                ))}
              </ol>
            </section>
          ))}
          {listed.length > shown && (
            <Button onClick={() => setShown(shown + PAGE)}>
              {TEXTS.more(Math.min(PAGE, listed.length - shown))}
            </Button>
          )}
        </div>
      </div>
      {versions[0] && restores !== undefined && (
        <PublishDialog
          {...{ clientId, base: versions[0].digest, restores }}
          onPublished={() => {
            setIsRestored(true);
            reload();
          }}
          onClose={() => setRestores(undefined)}
        />
      )}
    </>
  );
}

interface UndoProps {
  readonly versions: readonly ListedVersion[];
  readonly live: ListedVersion;
  /** The version that was live before. */
  readonly before: ListedVersion | undefined;
  readonly onRestore: (version: number) => void;
}

/** True for a version that made other fields before the live ones. */
function isBefore({ state, version }: ListedVersion, live: ListedVersion): boolean {
  return state !== 'unchanged' && version < live.version;
}

/** Goes back to what was live before, if the last change was one of the fields. */
function Undo({ versions, live, before, onRestore }: UndoProps) {
  const [newest = live] = versions;
  if (before?.state !== 'replaced' || before.isTooLarge) return null;
  if (newest !== live) {
    return (
      <p class="quiet">
        {`Version ${newest.version} changed no fields, so there is nothing to undo here. `}
        {newest.rollout && !isPreview(newest.rollout)
          ? 'A rollout runs, which "Configuration" stops.'
          : 'To go back to earlier fields, open their version.'}
      </p>
    );
  }
  return (
    <p class="actions">
      <Button onClick={() => onRestore(before.version)}>
        {live.sameAs === undefined
          ? `Undo version ${live.version}…`
          : `Restore version ${before.version}…`}
      </Button>
      <span class="quiet">
        {live.sameAs !== undefined &&
          `Version ${live.version} brought version ${live.sameAs} back. `}
        <Sentence>{say`Version ${before.version} was live before: ${versionName(before)}.`}</Sentence>
      </span>
    </p>
  );
}

/** Tells a version from others: its reason, or else its author, and its time. */
function versionName(version: ListedVersion): Parts {
  const { message, at, isStartUnknown } = version;
  const time = isStartUnknown ? TEXTS.startUnknown : sentenceTime(at);
  return say`${message === undefined ? authorOf(version) : `"${message}"`}, ${[time]}`;
}

/** Names the day of a version. */
function dayOf({ at, isStartUnknown }: ListedVersion): string {
  return isStartUnknown ? 'Before this history began' : dayName(at);
}

interface ChoiceProps {
  readonly versions: readonly ListedVersion[];
  readonly author: string;
  readonly compare: string;
  readonly hrefOf: (changed: { readonly author?: string; readonly compare?: string }) => string;
}

/**
 * The parts of a version that can be compared: its fields, unless those before it had them; its
 * candidate.
 */
function sidesOf({ version, state, rollout }: ListedVersion): string[] {
  const candidate = rollout ? [`${version}-candidate`] : [];
  return state === 'unchanged' && rollout ? candidate : [`${version}`, ...candidate];
}

/** A version beside what is live: an earlier one before it, a candidate after it. */
function sidesWith(live: ListedVersion, one: ListedVersion): unknown[] {
  const [side = ''] = sidesOf(one);
  return side.includes('-') ? [live.version, side] : [side, live.version];
}

/** Tells a side from others in a list: its number, its time and its reason. */
function sideText(side: string, versions: readonly ListedVersion[]): string {
  const one = versions.find(({ version }) => version === Number.parseInt(side, 10));
  const at = one && !one.isStartUnknown && shortTime(new Date(one.at));
  return [sideName(side), at, one?.message].filter(Boolean).join(' · ');
}

const sideName = (side: string) => {
  const [number = '', candidate] = side.split('-');
  return candidate ? `${number} (candidate)` : number;
};

/** Chooses two versions to compare, and an author. The address has what is chosen. */
function Choice({ versions, author, compare, hrefOf }: ChoiceProps) {
  const authors = [...new Set(versions.map(authorOf))].sort();
  const sides = versions.flatMap((one) => (one.isDeleted || one.isTooLarge ? [] : sidesOf(one)));
  const [before = sides[1], after = sides[0]] = compare === '' ? [] : compare.split('..');
  const submit = (event: Event & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    location.hash = hrefOf({ compare: `${form.get('before')}..${form.get('after')}` });
  };
  const choices = [
    ['before', 'Compare', before],
    ['after', 'with', after],
  ] as const;
  return (
    <form class="choice inline" onSubmit={submit}>
      {choices.map(([name, label, chosen]) => (
        <label key={name}>
          <span>{label}</span>
          <select key={chosen} name={name}>
            {sides.map((side) => (
              <option key={side} value={side} selected={side === chosen}>
                {sideText(side, versions)}
              </option>
            ))}
          </select>
        </label>
      ))}
      <Button type="submit">Compare</Button>
      <label class="apart">
        <span>Author</span>
        <select
          value={author}
          onChange={({ currentTarget }) => {
            location.hash = hrefOf({ author: currentTarget.value });
          }}
        >
          <option value="">everybody</option>
          {[...new Set([...authors, author])].filter(Boolean).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </form>
  );
}

interface ComparedProps extends Pick<Props, 'clientId'> {
  /** Two versions, `3..7-candidate`; anything else shows nothing. */
  readonly compare: string;
  /** The address without the comparison. */
  readonly closed: string;
}

const SIDES = /^([1-9]\d*(?:-candidate)?)\.\.([1-9]\d*(?:-candidate)?)$/;

function Compared({ clientId, compare, closed }: ComparedProps) {
  const [, before, after] = SIDES.exec(compare) ?? [];
  const path = `${clientPath(clientId)}/comparison?before=${before}&after=${after}`;
  const { value, failure, reload } = useLoaded<Comparison>(after && path);
  if (before === undefined || after === undefined) return null;
  const names = [TEXTS.version(sideName(before)), TEXTS.version(sideName(after))] as const;
  const title = `Version ${sideName(before)} compared with ${sideName(after)}`;
  return (
    <section class="compared" aria-label={title} ref={bringIntoView}>
      <header class="row">
        <h2 class="name">{title}</h2>
        <a href={closed}>Close the comparison</a>
      </header>
      {!value ? (
        <Wait failure={failure} retry={reload} />
      ) : value.lines.length === 0 ? (
        <SameFields effects={value.effects} />
      ) : (
        <ComparisonView comparison={value} names={names} />
      )}
    </section>
  );
}

function SameFields({ effects }: Pick<Comparison, 'effects'>) {
  return (
    <>
      <p>Both have the same fields. What else each version changed is in the list below.</p>
      {effects.length > 0 && <Effects>{effects}</Effects>}
    </>
  );
}
