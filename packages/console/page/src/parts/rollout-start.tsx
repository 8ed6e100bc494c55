import type { Review } from '../answers.ts';
import { TEXTS } from '../texts.ts';
import { TextArea, TextInput } from './basics.tsx';
import { Labeled } from './labeled.tsx';

const texts = TEXTS.rollout;

/** A rollout as the operator enters it. */
export interface NewRollout {
  readonly percent: string;
  /** A device in each line. */
  readonly devices: string;
  readonly alarm?: string;
}

interface Props {
  readonly alarms: NonNullable<Review['start']>['alarms'];
  /** Undefined to publish for all devices. */
  readonly value: NewRollout | undefined;
  readonly onChange: (value: NewRollout | undefined) => void;
}

/** Chooses whether a draft goes to a few devices first, and to which. */
export function RolloutStart({ alarms, value, onChange }: Props) {
  const none = { percent: '0', devices: '' };
  return (
    <fieldset>
      <label>
        <span>{texts.start}</span>
        <input
          type="checkbox"
          checked={value !== undefined}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? none : undefined)}
        />
      </label>
      {value && (
        <>
          <p class="quiet">{texts.explanation}</p>
          <Labeled label={texts.percent}>
            <TextInput
              type="number"
              min={0}
              max={100}
              step={0.01}
              value={value.percent}
              onInput={(percent) => onChange({ ...value, percent })}
              required
            />
          </Labeled>
          <Labeled label={texts.devices}>
            <TextArea
              value={value.devices}
              onInput={(devices) => onChange({ ...value, devices })}
            />
          </Labeled>
          {alarms.length > 0 && (
            <Labeled label={texts.alarm}>
              <select
                value={value.alarm ?? ''}
                onChange={({ currentTarget }) => {
                  const { alarm: _, ...others } = value;
                  const alarm = currentTarget.value;
                  onChange(alarm === '' ? others : { ...others, alarm });
                }}
              >
                {['', ...alarms].map((one) => (
                  <option key={one} value={one}>
                    {one || texts.noAlarm}
                  </option>
                ))}
              </select>
            </Labeled>
          )}
        </>
      )}
    </fieldset>
  );
}
