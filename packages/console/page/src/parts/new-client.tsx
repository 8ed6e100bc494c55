import { useState } from 'preact/hooks';
import type { NewAppId } from '../answers.ts';
import { type Answer, send } from '../api.ts';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { AppClientChoice } from './app-clients.tsx';
import { Command, FailureText, TextInput } from './basics.tsx';
import { Labeled } from './labeled.tsx';
import { NewAppIdBox } from './new-app-id.tsx';

const texts = TEXTS.clients;

interface Props {
  /** The app clients of the deployment. */
  readonly known: readonly string[];
  /** The command, with `CLIENT` and `LABEL`. */
  readonly command: string;
  readonly onCreated: () => void;
}

/** Creates a client, and shows its App-Id once. */
export function NewClient({ known, command, onCreated }: Props) {
  const [clientId, setClientId] = useState('');
  const [label, setLabel] = useState('');
  const [appClients, setAppClients] = useState<readonly string[]>(known.length === 1 ? known : []);
  const [caseSensitiveCodes, setCaseSensitive] = useState(false);
  const [{ value, failure }, setAnswer] = useState<Answer<NewAppId>>({});
  const create = async (event: Event) => {
    event.preventDefault();
    const named = label.trim() !== '' && { label };
    const body = { clientId, appClients, caseSensitiveCodes, ...named };
    const created = await send<NewAppId>('clients', '', body);
    setAnswer(created);
    if (!created.value) return;
    setClientId('');
    setLabel('');
    setCaseSensitive(false);
    onCreated();
  };
  return (
    <details class="box">
      <summary>{texts.create}</summary>
      <form onSubmit={create}>
        <Labeled label={texts.id}>
          <TextInput value={clientId} onInput={setClientId} required />
        </Labeled>
        <Labeled label={texts.label}>
          <TextInput value={label} onInput={setLabel} />
        </Labeled>
        {known.length > 1 && (
          <>
            <p>{TEXTS.access.appClients}</p>
            <AppClientChoice {...{ known, chosen: appClients }} onChange={setAppClients} />
          </>
        )}
        <label>
          <span>{texts.caseSensitive}</span>
          <input
            type="checkbox"
            checked={caseSensitiveCodes}
            onChange={({ currentTarget: { checked } }) => setCaseSensitive(checked)}
          />
        </label>
        {failure && <FailureText failure={failure} />}
        <p class="actions">
          <button type="submit" disabled={appClients.length === 0}>
            {texts.submit}
          </button>
          {appClients.length === 0 && TEXTS.access.noneChosen}
        </p>
      </form>
      {value && (
        <>
          <p>
            {texts.created(value.clientId)} <a href={clientHref(value.clientId)}>{texts.next}</a>
          </p>
          <NewAppIdBox key={value.fingerprint} made={value} />
        </>
      )}
      <Command>{command}</Command>
    </details>
  );
}
