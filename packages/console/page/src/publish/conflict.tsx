import { say, withQuotes } from 'customer-data-api/sentences';
import { conflictName } from 'customer-data-api-editor/browser';
import { useState } from 'preact/hooks';
import type { Conflict, LiveConfiguration, Version } from '../answers.ts';
import { isByThisPage } from '../api.ts';
import { draftOf, type EditedDraft, mergedWith } from '../draft/draft.ts';
import { labelOf } from '../findings/finding-text.ts';
import { Button } from '../parts/button.tsx';
import { Question } from '../parts/dialog.tsx';
import { Effects, Sentence } from '../parts/sentences.tsx';
import { Time } from '../parts/time-text.tsx';
import { clientHref } from '../route.ts';
import { authorOf, SCREEN_NAMES } from '../texts.ts';

interface Props {
  readonly clientId: string;
  readonly conflict: Conflict;
  /** Undefined for a version and for a candidate, which cannot be merged here. */
  readonly draft: EditedDraft | undefined;
  /** True if a candidate cannot be merged. */
  readonly isOfCandidate: boolean;
  /** Replaces the draft by one on top of theirs, which has its changes, too, if it is merged. */
  readonly onResolved: (draft: EditedDraft, isMerged: boolean) => void;
}

/** Shows what somebody else has published meanwhile, and lets the operator merge it. */
export function ConflictView(props: Props) {
  const { clientId, draft, isOfCandidate, onResolved } = props;
  const { version, since, theirs } = props.conflict;
  if (version) {
    return (
      <>
        <p>{`What you publish is version ${version.version} as it was, and others have published since.`}</p>
        <RestoreInstead {...{ clientId, version }} />
        {draft && (
          <p class="actions">
            <Drop {...{ theirs, onResolved }} />
          </p>
        )}
      </>
    );
  }
  return (
    <>
      <h3>
        {since.every(({ version }) => isByThisPage(version))
          ? 'What you published'
          : 'What they published'}
      </h3>
      <Since>{since}</Since>
      {draft ? (
        <Merge {...{ theirs, draft, onResolved }} />
      ) : (
        <p>
          {isOfCandidate
            ? 'The candidate changes the same attributes. Close this, open the candidate as a draft in "History", and merge both there. Above 0 %, stop the rollout first.'
            : 'Close this, and read the history again.'}
        </p>
      )}
    </>
  );
}

/** Leads to what brings an earlier version back. */
export function RestoreInstead(props: { readonly clientId: string; readonly version: Version }) {
  const { clientId, version } = props;
  return version.isTooLarge ? (
    <p>{`Version ${version.version} was too large to be recorded, so nothing restores it.`}</p>
  ) : (
    <p>
      {`To have it back, restore version ${version.version} in `}
      <a href={clientHref(clientId, 'history')}>{SCREEN_NAMES.history}</a>.
    </p>
  );
}

/** A change that others have published: who, when, why, and the effects. */
export function Since({ children }: { readonly children: Conflict['since'] }) {
  return (
    <ol>
      {children.map(({ version, effects }, index) => (
        <li key={version?.version ?? index}>
          {version && (
            <strong>
              <bdi>{authorOf(version)}</bdi>, <Time at={version.at} />
              {version.message !== undefined && <Sentence>{say`: ${version.message}`}</Sentence>}
            </strong>
          )}
          {effects && <Effects>{effects}</Effects>}
        </li>
      ))}
    </ol>
  );
}

interface MergeProps extends Pick<Props, 'onResolved'> {
  readonly theirs: Conflict['theirs'];
  readonly draft: EditedDraft;
}

/** The names of the sides of a merge. */
type SideNames = Readonly<Record<'mine' | 'theirs', string>>;

/** Merges a draft with what is live. The operator chooses a side where both changed the same. */
export function useMerge(draft: EditedDraft, theirs: LiveConfiguration, names: SideNames) {
  const [sides, setSides] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});
  const { conflicts } = mergedWith(draft, theirs, () => undefined);
  const { draft: merged } = mergedWith(draft, theirs, (...of) => sides[of.join(' ')]);
  const choices = conflicts.flatMap(({ key, fieldName, attributes }) =>
    attributes.map(({ attribute, ...values }) => (
      <fieldset key={`${key} ${attribute}`}>
        <legend>
          <bdi>{conflictName({ key, fieldName })}</bdi>
          <Sentence>{withQuotes(attribute && `: ${attributeLabel(attribute)}`)}</Sentence>
        </legend>
        {(['mine', 'theirs'] as const).map((side) => (
          <label key={side}>
            <input
              type="radio"
              name={`${key} ${attribute}`}
              onChange={() => setSides({ ...sides, [`${key} ${attribute}`]: side })}
            />
            <span>
              {names[side]}
              {/* The order of the fields has no values. */}
              {Object.keys(values).length > 0 && (
                <Sentence>{say`: ${shown(attribute, values[side])}`}</Sentence>
              )}
            </span>
          </label>
        ))}
      </fieldset>
    )),
  );
  return { merged, choices };
}

/** Merges a draft with what others published, or drops it. */
function Merge({ theirs, draft, onResolved }: MergeProps) {
  const { merged, choices } = useMerge(draft, theirs, { mine: 'Mine', theirs: 'Theirs' });
  return (
    <>
      <p>
        {choices.length > 0
          ? 'Both changed the same part of a field. Choose what to keep:'
          : 'Both changes fit together. Merge them; then read the effects, and publish.'}
      </p>
      {choices}
      <p class="actions">
        <Button
          class="primary"
          disabled={!merged}
          onClick={() => merged && onResolved(merged, true)}
        >
          Merge both changes
        </Button>
        <Drop {...{ theirs, onResolved }} />
      </p>
    </>
  );
}

/** Starts from what is live, after a question. */
function Drop({ theirs, onResolved }: Omit<MergeProps, 'draft'>) {
  const [isDropping, setIsDropping] = useState(false);
  return (
    <>
      <Button class="outline danger" onClick={() => setIsDropping(true)}>
        Drop my draft, and start from theirs…
      </Button>
      {isDropping && (
        <Question
          title="Drop your draft?"
          submit="Drop it"
          onSubmit={() => onResolved(draftOf(theirs), false)}
          onClose={() => setIsDropping(false)}
        >
          You start from what they published. Undo brings your draft back.
        </Question>
      )}
    </>
  );
}

function attributeLabel(attribute: string): string {
  const [, option] = /\.optionsArray\.(.+?)(\.display)?$/.exec(attribute) ?? [];
  if (option !== undefined) return `Option with the value ${JSON.stringify(option)}`;
  return labelOf(attribute.split('.'));
}

function shown(attribute: string, value: unknown): string {
  if (attribute === '') return value === undefined ? 'removed' : 'changed';
  return (typeof value === 'string' ? value : JSON.stringify(value)) ?? 'nothing';
}
