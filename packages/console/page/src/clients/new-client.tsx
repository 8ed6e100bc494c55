import { useEffect, useRef, useState } from 'preact/hooks';
import type { NewAppId } from '../answers.ts';
import { type Answer, send } from '../api.ts';
import { AppClientChoice } from '../parts/app-client-choice.tsx';
import { Button } from '../parts/button.tsx';
import { FailureText } from '../parts/failure.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { type NamedAppId, NewAppIdBox } from '../parts/new-app-id.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';

interface Props {
  /** The app clients of the deployment. */
  readonly known: readonly string[];
  /** The id of a client that is to be created again; empty for none. */
  readonly again: string;
  readonly onCreated: () => void;
}

/** Creates a client, and shows its App-Id once. */
export function NewClient({ known, again, onCreated }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [clientId, setClientId] = useState('');
  const [label, setLabel] = useState('');
  const [appClients, setAppClients] = useState<readonly string[]>(known.length === 1 ? known : []);
  const [caseSensitiveCodes, setCaseSensitive] = useState(false);
  /** The App-Ids that were made, with their names. */
  const [all, setAll] = useState<readonly NamedAppId[]>([]);
  const [{ failure }, setAnswer] = useState<Answer<NewAppId>>({});
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (again === '') return;
    setClientId(again);
    setIsOpen(true);
    setTimeout(() => form.current?.querySelector('input')?.focus());
  }, [again]);
  const create = async (event: Event) => {
    event.preventDefault();
    const named = label.trim() !== '' && { label };
    const body = { clientId, appClients, caseSensitiveCodes, ...named };
    const created = await send<NewAppId>('clients', '', body);
    setAnswer(created);
    if (!created.value) return;
    setClientId('');
    setAll([{ made: created.value, name: label.trim() }, ...all]);
    setLabel('');
    setCaseSensitive(false);
    if (again !== '') location.replace('#/');
    onCreated();
  };
  return (
    <>
      <Button
        class={isOpen ? 'outline secondary apart' : 'primary apart'}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        Create a client
      </Button>
      <form class="new" hidden={!isOpen} onSubmit={create} ref={form}>
        <p class="quiet" id="client-id-rule">
          Neither the id nor whether the case of codes counts can be changed later. An id has up to
          255 of a to z, A to Z, 0 to 9, ".", "-" and "_", with a letter or digit first, such as
          nordic-shop. It must not begin with smoke-, or end with .yaml or .yml.
        </p>
        <Labeled label="Client id">
          <TextInput
            class="id"
            aria-describedby="client-id-rule"
            aria-invalid={failure !== undefined || undefined}
            value={clientId}
            onInput={(text) => {
              setClientId(text);
              setAnswer({});
            }}
            required
          />
        </Labeled>
        {failure && <FailureText failure={failure} />}
        <Labeled
          label="Name of the first App-Id"
          help="The app that gets it, such as iOS 4. It can be given later, too."
        >
          <TextInput class="id" value={label} onInput={setLabel} />
        </Labeled>
        {known.length > 1 && (
          <>
            <p>{TEXTS.appClients}</p>
            <AppClientChoice {...{ known, chosen: appClients }} onChange={setAppClients} />
          </>
        )}
        <Labeled
          label="SAVE10 and save10 are two promo codes"
          help="Customers type codes in any case, so leave this off unless codes differ by case alone."
        >
          <input
            type="checkbox"
            checked={caseSensitiveCodes}
            onChange={({ currentTarget: { checked } }) => setCaseSensitive(checked)}
          />
        </Labeled>
        <p class="actions">
          <button type="submit" disabled={appClients.length === 0}>
            Create
          </button>
          {appClients.length === 0 && TEXTS.noneChosen}
        </p>
      </form>
      {all.map((one) => (
        <section key={one.made.fingerprint} class="new">
          <p>
            Created <bdi>{one.made.clientId}</bdi>.{' '}
            <a href={clientHref(one.made.clientId)}>Add its fields</a>
          </p>
          <NewAppIdBox {...one} />
        </section>
      ))}
    </>
  );
}
