import { useState } from 'preact/hooks';
import type { Client, Rollout, RolloutCounts } from '../answers.ts';
import { clientPath } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { TEXTS } from '../texts.ts';
import { Button, Effects, Sentences, Table } from './basics.tsx';
import { ConfirmDialog } from './confirm.tsx';
import { Labeled } from './labeled.tsx';
import { PublishDialog } from './publish.tsx';

const texts = TEXTS.rollout;
const ACTIONS = ['widen', 'finish', 'stop'] as const;

interface Props {
  readonly client: Client;
  /** Reads the client again. */
  readonly reload: () => void;
}

/** Shows the rollout of a client, if one runs, and changes it. */
export function RolloutBox({ client, reload }: Props) {
  /** What is asked, of the rollout as the operator saw it then. */
  const [asked, setAsked] = useState<Omit<ChangeProps, 'onDone' | 'onClose'>>();
  const { rollout, damagedRollout: damaged } = client;
  return (
    <>
      {damaged && (
        <section class="box" aria-label={texts.title}>
          <h2>{texts.damaged}</h2>
          <p class="failure">{damaged.damage}.</p>
          <p class="actions">
            <Button onClick={() => setAsked({ action: 'stop', client, rollout: damaged })}>
              {`${texts.actions.stop}…`}
            </Button>
          </p>
        </section>
      )}
      {rollout && (
        <section class="box" aria-label={texts.title}>
          <h2>{texts.runs(rollout)}</h2>
          {rollout.isEdited && <p class="failure">{texts.edited}</p>}
          <Groups percent={rollout.percent} />
          <Counts />
          <h3>{TEXTS.publish.effects}</h3>
          <Effects>{rollout.changes}</Effects>
          <p class="quiet">{texts.version(rollout.digest)}</p>
          {rollout.alarm !== undefined && <p>{texts.stoppedBy(rollout.alarm)}</p>}
          {rollout.devices.length > 0 && (
            <details>
              <summary>{texts.named(rollout.devices.length)}</summary>
              <Sentences>{rollout.devices}</Sentences>
            </details>
          )}
          <p class="actions">
            {ACTIONS.map((action) => (
              <Button
                key={action}
                disabled={action === 'widen' && rollout.percent === 100}
                onClick={() => setAsked({ action, client, rollout })}
              >
                {`${texts.actions[action]}…`}
              </Button>
            ))}
          </p>
        </section>
      )}
      {asked && <ChangeDialog {...asked} onDone={reload} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** Draws the groups of the devices to scale, in the order of their buckets. */
function Groups({ percent }: Pick<Rollout, 'percent'>) {
  const hasControl = percent <= 50;
  const shares = { candidate: percent, control: hasControl ? percent : 0 };
  const names = texts.groups(shares.candidate, shares.control);
  return (
    <figure>
      <svg
        class="groups"
        role="img"
        aria-label={names.join('. ')}
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
      >
        <rect class="candidate" width={percent} height="10" />
        <rect class="control" x="50" width={shares.control} height="10" />
      </svg>
      <figcaption class="actions">
        {['candidate', 'control', 'rest'].map((group, index) => (
          <span key={group}>
            <span class={`key ${group}`} aria-hidden="true" /> {names[index]}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** Counts the responses per group. */
function Counts() {
  const { value, reload } = useLoaded<RolloutCounts>('rollout-counts');
  if (!value) return <p role="status">{TEXTS.loading}</p>;
  if ('unknown' in value) return <p>{texts.countsUnknown(value.unknown)}</p>;
  const { hour, day } = value;
  const rows = (['candidate', 'control'] as const).map((group) => [
    texts.served[group],
    hour[group],
    day[group],
  ]);
  return (
    <>
      <Table columns={texts.columns} rows={rows} />
      <p class="actions quiet">
        {texts.ofAll} <Button onClick={reload}>{texts.countAgain}</Button>
      </p>
    </>
  );
}

interface ChangeProps {
  readonly action: (typeof ACTIONS)[number];
  readonly client: Client;
  /** A damaged one can only be stopped. */
  readonly rollout: Pick<Rollout, 'id'> &
    Partial<Pick<Rollout, 'percent' | 'devices' | 'digest'>> & {
      readonly commands: Partial<Rollout['commands']>;
    };
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before a change of a rollout, and makes it. */
function ChangeDialog({ action, client, rollout, onDone, onClose }: ChangeProps) {
  const { clientId, base } = client;
  const { id, percent = 0, devices } = rollout;
  // A stop is of one rollout, whatever has become of its candidate.
  const digest = action === 'stop' ? undefined : rollout.digest;
  // The server asks for the id if the first devices lose most of their fields.
  const isFirst = action === 'widen' && percent === 0 && devices?.length === 0;
  if (action === 'finish') {
    return (
      <PublishDialog {...{ clientId, base, onClose }} finishes={rollout} onPublished={onDone} />
    );
  }
  return (
    <ConfirmDialog
      title={texts.titles[action](clientId)}
      submit={texts.actions[action]}
      {...(isFirst && { typed: clientId })}
      command={rollout.commands[action] ?? ''}
      path={`${clientPath(clientId)}/publish`}
      body={({ message, percent: share = action }) => ({
        change: { id, digest, rollout: share },
        message,
      })}
      onClose={(isDone) => {
        if (isDone) onDone();
        onClose();
      }}
      inputs={
        <>
          {action === 'widen' && (
            <Labeled label={texts.newShare(percent)}>
              <input name="percent" type="number" min={percent} max="100" step="0.01" required />
            </Labeled>
          )}
          <Labeled label={TEXTS.publish.message}>
            <textarea name="message" required />
          </Labeled>
        </>
      }
    >
      <p>{texts.effect[action]}</p>
    </ConfirmDialog>
  );
}
