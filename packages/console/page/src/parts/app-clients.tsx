import { TEXTS } from '../texts.ts';

interface Props {
  /** The app clients of the deployment. */
  readonly known: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Chooses the app clients whose tokens a client accepts. */
export function AppClientChoice({ known, chosen, onChange }: Props) {
  return (
    <fieldset aria-label={TEXTS.access.appClients}>
      {[...new Set([...known, ...chosen])].map((id) => (
        <label key={id}>
          <span>{known.includes(id) ? id : TEXTS.access.foreign(id)}</span>
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
