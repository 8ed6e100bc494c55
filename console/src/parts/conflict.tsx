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
  readonly onResolved: (draft: Draft, isMerged: boolean) => void;
}

/** Shows what somebody else has published meanwhile, and lets the operator merge it. */
export function ConflictView({ conflict: { since, theirs }, draft, onResolved }: Props) {
  return (
    <>
      <h3>{TEXTS.conflict.title}</h3>
      {since.length > 0 && <p>{TEXTS.conflict.since}</p>}
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
      {draft ? (
        <Merge theirs={theirs} draft={draft} onResolved={onResolved} />
      ) : (
        <p>{TEXTS.conflict.restored}</p>
      )}
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

type Sides = ReadonlyMap<string, 'mine' | 'theirs'>;

interface MergeProps extends Pick<Props, 'onResolved'> {
  readonly theirs: Conflict['theirs'];
  readonly draft: Draft;
}

/** Mine and theirs for each attribute that both changed, and what can be done about it. */
function Merge({ theirs, draft, onResolved }: MergeProps) {
  const [sides, setSides] = useState<Sides>(new Map());
  const { draft: simple, conflicts } = mergedWith(draft, theirs);
  const { draft: merged } = mergedWith(draft, theirs, (...of) => sides.get(of.join(' ')));
  const isMergeable = conflicts.every(({ key }) => key !== undefined);
  const { mergeable, choose, unmergeable, merge, replace, restart } = TEXTS.conflict;
  return (
    <>
      <p>{simple ? mergeable : isMergeable ? choose : unmergeable}</p>
      {isMergeable &&
        conflicts.map((conflict) => (
          <Choices
            key={conflict.key}
            {...{ conflict, sides }}
            choose={(name, side) => setSides(new Map([...sides, [name, side]]))}
          />
        ))}
      <p class="actions">
        {isMergeable ? (
          <Button
            class="primary"
            disabled={!merged}
            onClick={() => merged && onResolved(merged, true)}
          >
            {merge}
          </Button>
        ) : (
          <Button onClick={() => onResolved({ ...draftOf(theirs), fields: draft.fields }, false)}>
            {replace}
          </Button>
        )}
        <Button onClick={() => onResolved(draftOf(theirs), false)}>{restart}</Button>
      </p>
    </>
  );
}

interface ChoicesProps {
  readonly conflict: MergeConflict;
  readonly sides: Sides;
  readonly choose: (name: string, side: 'mine' | 'theirs') => void;
}

function Choices({ conflict: { key, name, attributes }, sides, choose }: ChoicesProps) {
  const { combined, whole, removed, changed } = TEXTS.conflict;
  return (
    <table class="choices">
      <caption>{name}</caption>
      <tbody>
        {attributes.length === 0 && (
          <tr>
            <td>{combined}</td>
          </tr>
        )}
        {attributes.map(({ attribute, ...values }) => {
          const choice = `${key} ${attribute}`;
          // The order of the fields has no values.
          const isField = attribute === '' && Object.keys(values).length > 0;
          return (
            <tr key={choice}>
              <th scope="row">{attribute || whole}</th>
              {(['mine', 'theirs'] as const).map((side) => (
                <td key={side}>
                  <label>
                    <input
                      type="radio"
                      name={choice}
                      checked={sides.get(choice) === side}
                      onChange={() => choose(choice, side)}
                    />
                    <span>
                      {TEXTS.conflict[side]}
                      {attribute !== '' && `: ${shown(values[side])}`}
                      {isField && `: ${values[side] === undefined ? removed : changed}`}
                    </span>
                  </label>
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function shown(value: unknown): string {
  if (value === undefined) return TEXTS.conflict.nothing;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
