import { isPreview, shareText } from 'customer-data-api/configuration';
import { say } from 'customer-data-api/sentences';
import { useEffect, useState } from 'preact/hooks';
import type { Client, ClientRollout } from '../answers.ts';
import { clientPath, publish } from '../api.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/confirm.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { Effects, Sentence, Sentences } from '../parts/sentences.tsx';
import { Time } from '../parts/time-text.tsx';
import { PublishDialog } from '../publish/publish.tsx';
import { LARGEST } from '../publish/rollout-start.tsx';
import { authorOf, TEXTS } from '../texts.ts';

const ACTIONS = {
  merge: 'Merge with what is live',
  widen: 'Give it to more devices',
  finish: 'Give it to all devices',
  stop: 'Stop the rollout',
};
type Action = keyof typeof ACTIONS;

/** The effects of the actions on whom. */
const EFFECTS = {
  merge: 'The same devices get what has been published since, too.',
  widen: 'More devices get the candidate. Those that have it keep it.',
  finish: 'Then the candidate is live, and all devices get it.',
  stop: 'All devices get what is live again, with their next request.',
};

function labelsOf({ percent }: Partial<Pick<ClientRollout, 'percent'>>): typeof ACTIONS {
  return percent === 0 ? { ...ACTIONS, stop: 'Stop the preview' } : ACTIONS;
}

interface Props {
  readonly client: Client;
  /** Reads the client again. */
  readonly reload: () => void;
  /** Called with true when the operator is asked about a change, and with false after that. */
  readonly onAsk: (isAsked: boolean) => void;
}

/** Shows the rollout of a client, if one runs, and changes it. */
export function RolloutBox({ client, reload, onAsk }: Props) {
  /** The question, about the rollout as the operator saw it then. */
  const [asked, setAsked] = useState<Omit<ChangeProps, 'onDone' | 'onClose'>>();
  useEffect(() => onAsk(asked !== undefined), [asked !== undefined]);
  const { rollout, damagedRollout: damaged } = client;
  const isLargest = rollout !== undefined && rollout.percent >= LARGEST;
  const next = rollout?.isEdited ? 'merge' : isLargest ? 'finish' : 'widen';
  const isLook = rollout !== undefined && isPreview(rollout);
  const actions = (Object.keys(ACTIONS) as Action[]).filter(
    (action) => action !== 'merge' || rollout?.isEdited,
  );
  return (
    <>
      {damaged && (
        <section aria-label="Rollout">
          <h2>The rollout is damaged: nobody gets its candidate</h2>
          <p class="failure">{damaged.damage}.</p>
          <p class="actions">
            <Button
              class="outline danger"
              onClick={() => setAsked({ action: 'stop', client, rollout: damaged })}
            >
              {`${ACTIONS.stop}…`}
            </Button>
          </p>
        </section>
      )}
      {rollout && (
        <section class="rollout" aria-label="Rollout">
          <h2>{`${isLook ? 'Preview on' : 'Rollout to'} ${shareText(rollout)}`}</h2>
          {rollout.start && (
            <p class="quiet">
              <bdi>{authorOf(rollout.start)}</bdi>, <Time at={rollout.start.at} />
              {rollout.start.message !== undefined && (
                <Sentence>{say`: ${rollout.start.message}`}</Sentence>
              )}
            </p>
          )}
          {rollout.isEdited && (
            <p class="notice">
              What is live has changed since the candidate was made, which would take that back.
              Merge both before you give it to more devices.
            </p>
          )}
          <Effects>{rollout.effects}</Effects>
          <ul class="plain">
            {actions.map((action) => (
              <li key={action} class="actions">
                <Button
                  class={
                    action === next
                      ? 'primary'
                      : `outline ${action === 'stop' ? 'danger' : 'secondary'}`
                  }
                  disabled={action === 'widen' && (isLargest || rollout.isEdited)}
                  onClick={() => setAsked({ action, client, rollout })}
                >
                  {`${labelsOf(rollout)[action]}…`}
                </Button>
                <span class="quiet">{EFFECTS[action]}</span>
              </li>
            ))}
          </ul>
          {!isLook && <p class="quiet">Nothing else can be published until the rollout ends.</p>}
          <details>
            <summary>Named devices, and crash reports</summary>
            <p>{`Config-Version of the candidate, for crash reports: ${rollout.digest}`}</p>
            <Sentences>{rollout.devices.map((device) => say`${device}`)}</Sentences>
          </details>
        </section>
      )}
      {asked && <ChangeDialog {...asked} onDone={reload} onClose={() => setAsked(undefined)} />}
    </>
  );
}

interface ChangeProps {
  readonly action: Action;
  readonly client: Client;
  /** A damaged one can only be stopped. */
  readonly rollout: Pick<ClientRollout, 'id'> & Partial<Pick<ClientRollout, 'percent' | 'digest'>>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks before a change of a rollout, and makes it. */
function ChangeDialog({ action, client, rollout, onDone, onClose }: ChangeProps) {
  const { clientId, base } = client;
  const { id, percent = 0 } = rollout;
  // A stop is of one rollout, whatever has become of its candidate.
  const digest = action === 'stop' ? undefined : rollout.digest;
  /** True once the server has said what harm it does. */
  const [isHarm, setIsHarm] = useState(false);
  const labels = labelsOf(rollout);
  if (action === 'finish' || action === 'merge') {
    const { rollout: running } = client;
    return (
      <PublishDialog
        {...{ clientId, base, running, onClose }}
        merges={action}
        onPublished={onDone}
      />
    );
  }
  return (
    <ConfirmDialog
      title={
        action === 'widen'
          ? say`Give the candidate of ${clientId} to more devices`
          : say`${[labels.stop]} of ${clientId}`
      }
      submit={labels[action]}
      isDanger={action === 'stop'}
      {...(isHarm && { typed: clientId })}
      path={`${clientPath(clientId)}/publish`}
      by={async (...sent) => {
        const answer = await publish(...sent);
        setIsHarm(answer.failure?.code === 'notConfirmed');
        return answer;
      }}
      body={({ message, percent: share = action }) => ({
        draft: { id, digest, rollout: share },
        message,
      })}
      onClose={(isDone) => {
        if (isDone) onDone();
        onClose();
      }}
      inputs={
        <>
          {action === 'widen' && (
            <Labeled label={`New share, in percent: more than ${percent}`}>
              <input
                name="percent"
                type="number"
                min={percent}
                max={LARGEST}
                step="0.01"
                required
              />
            </Labeled>
          )}
          <Labeled label={TEXTS.reason}>
            <textarea name="message" required />
          </Labeled>
        </>
      }
    >
      <p>
        {EFFECTS[action]}
        {action === 'stop' &&
          ' To go on with the candidate later, choose "Open the candidate as a draft" in the history.'}
      </p>
    </ConfirmDialog>
  );
}
