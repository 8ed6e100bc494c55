import { Labeled } from '../parts/labeled.tsx';
import { TextArea, TextInput } from '../parts/text-input.tsx';

/** The largest share, in percent: all devices are the end of a rollout. */
export const LARGEST = 99.99;

/** A rollout as the operator enters it. */
export interface RolloutInput {
  readonly percent: string;
  /** A device in each line. */
  readonly devices: string;
}

interface Props {
  /** Undefined to publish for all devices. */
  readonly value: RolloutInput | undefined;
  readonly onChange: (value: RolloutInput | undefined) => void;
}

/** Chooses whether a draft goes to a few devices first, and to which. */
export function RolloutStart({ value, onChange }: Props) {
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
            choose here, until you give it to more devices, to all of them, or stop it.
          </p>
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
            />
          </Labeled>
        </>
      )}
    </fieldset>
  );
}
