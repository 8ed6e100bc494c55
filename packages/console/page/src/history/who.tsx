import { useEffect, useState } from 'preact/hooks';
import type { ServedDevice } from '../answers.ts';
import { clientPath, useLoaded } from '../api.ts';
import { Button, localTime, Wait } from '../parts/basics.tsx';
import { Labeled } from '../parts/labeled.tsx';

interface Props {
  readonly clientId: string;
  /** Receives the command that does the same. */
  readonly onCommand: (command: string | undefined) => void;
}

/** Answers which configuration a device was given at a time. */
export function Who({ clientId, onCommand }: Props) {
  const [query, setQuery] = useState<string>();
  const [now] = useState(nowLocal);
  const path = `${clientPath(clientId)}/served?${query}`;
  const { value, failure, reload } = useLoaded<ServedDevice>(query && path);
  useEffect(() => onCommand(value?.command), [value]);
  const submit = (event: Event & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const at = new Date(`${form.get('at')}`).toISOString();
    setQuery(`${new URLSearchParams({ device: `${form.get('device')}`.trim(), at })}`);
    reload();
  };
  return (
    <details class="box">
      <summary>What did a device get?</summary>
      <form class="choice" onSubmit={submit}>
        <Labeled
          label="Device"
          help="The Installation-Id that its app sends or, without one, the Device-Id."
        >
          <input class="id" name="device" autocomplete="off" maxLength={200} required />
        </Labeled>
        <label>
          <span>Time, by your clock</span>
          <input name="at" type="datetime-local" step="1" defaultValue={now} required />
        </label>
        <Button type="submit">Show</Button>
      </form>
      {query !== undefined && !value && <Wait failure={failure} retry={reload} />}
      {value && <Answer {...value} />}
    </details>
  );
}

function Answer({ served }: Pick<ServedDevice, 'served'>) {
  return (
    <div role="status">
      {served.length === 0 && <p>The history has nothing of that time.</p>}
      {served.length > 1 && (
        <p>
          It may have got any of these, the newest first: the configuration had just changed, and
          functions keep a copy.
        </p>
      )}
      <ul>
        {served.map((one) => (
          <li key={one.version.version}>{sentenceOf(one)}</li>
        ))}
      </ul>
    </div>
  );
}

function sentenceOf({ version, isCandidate, bucket, group }: ServedDevice['served'][number]) {
  const since = `since ${localTime(new Date(version.at))}`;
  if (!version.rollout) return `Version ${version.version}, ${since}. No rollout ran.`;
  const what = isCandidate ? 'the candidate' : 'the live configuration, not the candidate';
  const why =
    bucket === undefined && !group
      ? 'its id does not name a single device'
      : group === undefined
        ? `it is in no group of the rollout at ${version.rollout.percent} %`
        : `it is in the group “${group}” of the rollout at ${version.rollout.percent} %`;
  return `Version ${version.version}, ${since}: ${what}, because ${why}.`;
}

/** The time now, as an input has it. */
function nowLocal(): string {
  // The Swedish form is ISO 8601 with a space.
  return new Date().toLocaleString('sv-SE').replace(' ', 'T');
}
