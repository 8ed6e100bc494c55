import { useState } from 'preact/hooks';
import type { MergeConflict } from '../../../admin/configuration/merge-fields.ts';
import { type Draft, draftOf, mergedWith } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import type { Conflict } from '../types.ts';
import { authorOf, Button, Time } from './basics.tsx';

interface Props {
  readonly conflict: Conflict;
  /** Undefined for the restoration of a version, which cannot be merged. */
  readonly draft: Draft | undefined;
  /** Replaces the draft by one on top of theirs. */
  readonly onResolved: (draft: Draft) => void;
}

/** Shows what somebody else has published meanwhile, and lets the operator merge it. */
export function ConflictView({ conflict: { since, theirs }, draft, onResolved }: Props) {
  return (
    <>
      <h3>{TEXTS.conflict.title}</h3>
      <ol>
        {since.map(({ version, sentences = [] }, index) => (
          <li key={version?.version ?? index}>
            {version && (
              <strong>
                {authorOf(version)}, <Time at={version.at} />
                {version.message !== undefined && `: ${version.message}`}
              </strong>
            )}
            <Sentences>{sentences}</Sentences>
          </li>
        ))}
      </ol>
      {draft ? <Merge {...{ theirs, draft, onResolved }} /> : <p>{TEXTS.conflict.restored}</p>}
    </>
  );
}

export function Sentences({ children }: { readonly children: readonly string[] }) {
  return (
    <ul>
      {children.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

interface MergeProps extends Pick<Props, 'onResolved'> {
  readonly theirs: Conflict['theirs'];
  readonly draft: Draft;
}

/** Mine and theirs for each attribute that both changed, and what can be done about it. */
function Merge({ theirs, draft, onResolved }: MergeProps) {
  const [sides, setSides] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});
  const { draft: simple, conflicts } = mergedWith(draft, theirs);
  const { draft: merged } = mergedWith(draft, theirs, (...of) => sides[of.join(' ')]);
  const isMergeable = conflicts.every(({ key }) => key !== undefined);
  const { mergeable, choose, unmergeable, merge, replace, restart } = TEXTS.conflict;
  return (
    <>
      <p>{simple ? mergeable : isMergeable ? choose : unmergeable}</p>
      {isMergeable &&
        conflicts.map((conflict) => (
          <Choices
            key={conflict.key}
            conflict={conflict}
            choose={(choice, side) => setSides({ ...sides, [choice]: side })}
          />
        ))}
      <p class="actions">
        {isMergeable ? (
          <Button class="primary" disabled={!merged} onClick={() => merged && onResolved(merged)}>
            {merge}
          </Button>
        ) : (
          <Button onClick={() => onResolved({ ...draftOf(theirs), fields: draft.fields })}>
            {replace}
          </Button>
        )}
        <Button onClick={() => onResolved(draftOf(theirs))}>{restart}</Button>
      </p>
    </>
  );
}

interface ChoicesProps {
  readonly conflict: MergeConflict;
  readonly choose: (choice: string, side: 'mine' | 'theirs') => void;
}

/** The choices of a field: of each attribute, or of the whole field. */
function Choices({ conflict: { key, name, attributes }, choose }: ChoicesProps) {
  const { combined, whole, removed, changed, nothing } = TEXTS.conflict;
  const shown = (attribute: string, value: unknown) => {
    if (attribute === '') return value === undefined ? removed : changed;
    return (typeof value === 'string' ? value : JSON.stringify(value)) ?? nothing;
  };
  return (
    <fieldset class="box">
      <legend>{name}</legend>
      {attributes.length === 0 && combined}
      {attributes.map(({ attribute, ...values }) => (
        <fieldset key={attribute} class="actions">
          <legend>{attribute || whole}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side}>
              <input
                type="radio"
                name={`${key} ${attribute}`}
                onChange={() => choose(`${key} ${attribute}`, side)}
              />
              <span>
                {TEXTS.conflict[side]}
                {/* The order of the fields has no values. */}
                {Object.keys(values).length > 0 && `: ${shown(attribute, values[side])}`}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </fieldset>
  );
}
