import { useState } from 'preact/hooks';
import { type Choices, choiceKey, choicesIn, type Draft, draftOf, resolved } from '../draft.ts';
import { TEXTS } from '../texts.ts';
import type { Conflict, FieldConflict, Merge } from '../types.ts';
import { authorOf, Time } from './basics.tsx';

/** How a conflict ended: the draft to go on with, and how to merge it with what is live. */
export interface Resolution {
  readonly draft: Draft;
  readonly merge: Merge | undefined;
}

interface Props {
  readonly conflict: Conflict;
  /** Undefined for the restoration of a version, which cannot be merged. */
  readonly draft: Draft | undefined;
  readonly onResolved: (resolution: Resolution) => void;
}

/** Shows what somebody else has published meanwhile, and lets the operator merge it. */
export function ConflictView({ conflict, draft, onResolved }: Props) {
  const { since, theirs, merged, conflicts = [], kind } = conflict;
  const [choices, setChoices] = useState<Choices>(new Map());
  const canChoose = conflicts.length > 0 && conflicts.every(({ key }) => key !== undefined);
  const rows = conflicts.map((one) => ({
    conflict: one,
    attributes: draft ? choicesIn(one, draft, theirs) : [],
  }));
  const keys = rows.flatMap(({ conflict: one, attributes }) =>
    attributes.map((name) => choiceKey(one, name)),
  );
  const isDecided = keys.every((key) => choices.has(key));
  const choose = (key: string, side: 'mine' | 'theirs') =>
    setChoices(new Map([...choices, [key, side]]));

  const merge = () => {
    if (!draft) return;
    const { keep, ...result } = resolved(draft, theirs, conflicts, choices);
    onResolved({ ...result, merge: { with: theirs.base, keep } });
  };

  return (
    <div class="conflict">
      <h3>{TEXTS.conflict.title}</h3>
      <p>{TEXTS.conflict.since}</p>
      <ol>
        {since.map(({ version, sentences = [] }, index) => (
          <li key={version?.version ?? index}>
            {version && (
              <strong>
                {authorOf(version)}, <Time at={version.at} />
                {version.message !== undefined && `: ${version.message}`}
              </strong>
            )}
            <ul class="changes">
              {sentences.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {!draft ? (
        <p>{TEXTS.conflict.restored}</p>
      ) : (
        <>
          {merged && <p>{TEXTS.conflict.mergeable}</p>}
          {canChoose && <p>{TEXTS.conflict.choose}</p>}
          {canChoose &&
            rows.map(({ conflict: one, attributes }) => (
              <ConflictChoices
                key={choiceKey(one)}
                {...{ conflict: one, attributes, choices, choose }}
              />
            ))}
          {!merged && !canChoose && <p>{TEXTS.conflict.unmergeable[kind]}</p>}
          <p class="actions">
            {merged || canChoose ? (
              <button
                type="button"
                class="primary"
                disabled={!merged && !isDecided}
                onClick={merge}
              >
                {TEXTS.conflict.merge}
              </button>
            ) : (
              <button
                type="button"
                onClick={() =>
                  onResolved({
                    draft: { ...draftOf(theirs), fields: draft.fields },
                    merge: undefined,
                  })
                }
              >
                {TEXTS.conflict.replace}
              </button>
            )}
            <button
              type="button"
              onClick={() => onResolved({ draft: draftOf(theirs), merge: undefined })}
            >
              {TEXTS.conflict.restart}
            </button>
          </p>
        </>
      )}
    </div>
  );
}

interface ChoicesProps {
  readonly conflict: FieldConflict;
  /** The attributes to choose; '' for the whole field. */
  readonly attributes: readonly string[];
  readonly choices: Choices;
  readonly choose: (key: string, side: 'mine' | 'theirs') => void;
}

/** Mine and theirs for each attribute of a conflict, or for the whole field. */
function ConflictChoices({ conflict, attributes, choices, choose }: ChoicesProps) {
  return (
    <table class="choices">
      <caption>{conflict.name}</caption>
      <tbody>
        {attributes.length === 0 && (
          <tr>
            <td>{TEXTS.conflict.combined}</td>
          </tr>
        )}
        {attributes.map((attribute) => {
          const key = choiceKey(conflict, attribute);
          const sides = conflict.attributes.find((one) => one.attribute === attribute);
          return (
            <tr key={key}>
              <th scope="row">{attribute || TEXTS.conflict.wholeField}</th>
              {(['mine', 'theirs'] as const).map((side) => (
                <td key={side}>
                  <label class="check">
                    <input
                      type="radio"
                      name={key}
                      checked={choices.get(key) === side}
                      onChange={() => choose(key, side)}
                    />
                    <span>
                      {TEXTS.conflict[side]}
                      {sides && `: ${shown(sides[side])}`}
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
