import { useEffect, useState } from 'preact/hooks';
import type { ServedDevice } from '../answers.ts';
import { clientPath, useLoaded } from '../api.ts';
import { Button, localTime, Wait } from '../parts/basics.tsx';
import { Labeled } from '../parts/labeled.tsx';

interface Props {
  readonly clientId: string;
  /** The address that shows a version, or its candidate, beside what is live. */
  readonly hrefOf: (side: string) => string | undefined;
  /** The version whose fields were live while another one was the newest. */
  readonly liveIn: (version: number) => number;
  /** Receives the command that does the same. */
  readonly onCommand: (command: string | undefined) => void;
}

/** Answers which configuration a device was given at a time. */
export function Who({ clientId, hrefOf, liveIn, onCommand }: Props) {
  const [query, setQuery] = useState<string>();
  // When the question is asked, and not when the page was opened.
  const [now, setNow] = useState('');
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
    <details
      class="box"
      onToggle={({ currentTarget: { open } }) => open && setNow((known) => known || nowLocal())}
    >
      <summary>What did a device get?</summary>
      <p class="quiet">
        This is computed from the history. Nobody knows whether the device asked at that time.
      </p>
      <form class="choice" onSubmit={submit} onInput={() => setQuery(undefined)}>
        <Labeled
          label="Device"
          help="The Installation-Id that its app sends or, without one, the Device-Id."
        >
          <input size={38} name="device" autocomplete="off" maxLength={200} required />
        </Labeled>
        <label>
          <span>Time, by your clock</span>
          <input
            key={now}
            name="at"
            type="datetime-local"
            step="1"
            max="9999-12-31T23:59:59"
            defaultValue={now}
            required
          />
        </label>
        <Button type="submit">Show</Button>
      </form>
      {query !== undefined && !value && <Wait failure={failure} retry={reload} />}
      {value && <Answer {...value} {...{ hrefOf, liveIn }} />}
    </details>
  );
}

type AnswerProps = Pick<ServedDevice, 'served'> & Pick<Props, 'hrefOf' | 'liveIn'>;

function Answer({ served, hrefOf, liveIn }: AnswerProps) {
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
          <li key={one.version.version}>
            {sentenceOf(one, liveIn)} {!one.isRefused && fieldsText(one.captions)}{' '}
            {!one.isRefused && <Link href={hrefOf(sideOf(one, liveIn))} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Link({ href }: { readonly href: string | undefined }) {
  return href === undefined ? null : <a href={href}>Compare with what is live</a>;
}

type Served = ServedDevice['served'][number];

function fieldsText(captions: Served['captions']): string {
  if (!captions) return 'It was too large to be recorded, so its fields are unknown.';
  return captions.length === 0 ? 'It has no fields.' : `Its fields: ${captions.join(', ')}.`;
}

function sideOf({ version: { version }, isCandidate }: Served, liveIn: Props['liveIn']): string {
  return isCandidate ? `${version}-candidate` : `${liveIn(version)}`;
}

function sentenceOf(served: Served, liveIn: Props['liveIn']): string {
  const { version, isRefused, isCandidate, bucket, group, isNamed } = served;
  const since = `since ${localTime(new Date(version.at))}`;
  const { rollout } = version;
  const live = `Version ${liveIn(version.version)}`;
  if (isRefused) return `Nothing, ${since}: every call of the apps of this client was refused.`;
  if (!rollout) return `${live}, ${since}. No rollout ran.`;
  const what = isCandidate ? 'The candidate' : `${live}, beside the candidate`;
  const why = isNamed
    ? 'it is named'
    : bucket === undefined
      ? 'its id does not name a single device'
      : group === undefined
        ? `it is in no group of the rollout at ${rollout.percent} %`
        : `it is in the group “${group}” of the rollout at ${rollout.percent} %`;
  return `${what} of version ${version.version}, ${since}: ${why}.`;
}

/** The time now, as an input has it. */
function nowLocal(): string {
  // The Swedish form is ISO 8601 with a space.
  return new Date().toLocaleString('sv-SE').replace(' ', 'T');
}
