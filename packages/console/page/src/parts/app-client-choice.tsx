import { useState } from 'preact/hooks';
import { TEXTS } from '../texts.ts';

interface Props {
  /** The app clients of the deployment. */
  readonly known: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses the app clients whose tokens a client accepts. */
export function AppClientChoice({ known, chosen, onChange }: Props) {
  // Also those that were chosen at first, so that each can be chosen again.
  const [all] = useState([...new Set([...known, ...chosen])]);
  return (
    <fieldset aria-label={TEXTS.appClients}>
      {all.map((id) => (
        <label key={id}>
          <span>
            <bdi>{id}</bdi>
            {!known.includes(id) && ' (this deployment has no such app client)'}
          </span>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
        </label>
      ))}
    </fieldset>
  );
}
