import { useState } from 'preact/hooks';
import type { NewAppId } from '../answers.ts';
import { TEXTS } from '../texts.ts';
import { CopyButton } from './button.tsx';
import { localTime } from './time-text.tsx';

/* What the creation of a client and a change of who may call have in common. */

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
          <span>{known.includes(id) ? id : `${id} (this deployment has no such app client)`}</span>
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

/** Shows an App-Id that was just made: only now, and in the page, where no key closes it. */
export function NewAppIdBox({ made: { appId, liveAt } }: { readonly made: NewAppId }) {
  return (
    <div class="done" role="status">
      <p>
        <strong>
          This App-Id is shown only now. Copy it, and give it to the developers of the app.
        </strong>{' '}
        {`It works from ${localTime(new Date(liveAt))} at the latest. If it is lost, add another one.`}
      </p>
      <p class="actions once">
        <code>{appId}</code>
        <CopyButton text={appId}>Copy</CopyButton>
      </p>
    </div>
  );
}
