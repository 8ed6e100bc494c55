import { isPreview, shareText } from 'customer-data-api/configuration';
import type { ClientRollout } from '../answers.ts';
import { Labeled } from '../parts/labeled.tsx';
import { Names } from '../parts/sentences.tsx';
import { TextArea, TextInput } from '../parts/text-input.tsx';
import { authorOf } from '../texts.ts';

/** The largest share, in percent: all devices are the end of a rollout. */
export const LARGEST = 99.99;

/** A rollout as the operator enters it. */
export interface RolloutInput {
  readonly percent: string;
  /** A device in each line. */
  readonly devices: string;
}

/** Names a rollout by its share. */
export function kindOf({ percent }: RolloutInput): 'preview' | 'rollout' {
  return isPreview({ percent: Number(percent) }) ? 'preview' : 'rollout';
}

interface Props {
  /** Undefined to publish for all devices. */
  readonly value: RolloutInput | undefined;
  /** The preview that ends when this one starts. */
  readonly running: ClientRollout | undefined;
  readonly onChange: (value: RolloutInput | undefined) => void;
}

/** Chooses whether a draft goes to a few devices first, and to which. */
export function RolloutStart({ value, running, onChange }: Props) {
  const none = { percent: '0', devices: '' };
  return (
    <fieldset>
      <label>
        <span>To a few devices first</span>
        <input
          type="checkbox"
          checked={value !== undefined}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? none : undefined)}
        />
      </label>
      {value && (
        <>
          <p class="quiet">
            The draft becomes a candidate beside what is live. It goes to the devices that you
            choose here, until you give it to more devices, to all of them, or stop it. At 0 %, it
            is a preview on the named devices: everybody can go on publishing.
          </p>
          {running && (
            <p class="notice">
              This ends the preview by <bdi>{authorOf(running.start ?? {})}</bdi> on{' '}
              {`${shareText(running)}: `}
              <Names>{running.devices}</Names>.
            </p>
          )}
          <Labeled label="Share of all devices, in percent">
            <TextInput
              type="number"
              min={0}
              max={LARGEST}
              step={0.01}
              value={value.percent}
              onInput={(percent) => onChange({ ...value, percent })}
              required
            />
          </Labeled>
          <Labeled label="Devices that get it whatever the share is, one Installation-Id or Device-Id per line">
            <TextArea
              value={value.devices}
              onInput={(devices) => onChange({ ...value, devices })}
              required={kindOf(value) === 'preview'}
            />
          </Labeled>
        </>
      )}
    </fieldset>
  );
}
