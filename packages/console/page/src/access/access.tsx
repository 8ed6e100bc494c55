import { counted } from 'customer-data-api/configuration';
import { say } from 'customer-data-api/sentences';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Access, AppIdUses, NewAppId } from '../answers.ts';
import { type Answer, clientPath, send, useLoaded } from '../api.ts';
import { ItemFindings } from '../findings/findings.tsx';
import { AppClientChoice } from '../parts/app-client-choice.tsx';
import { Button } from '../parts/button.tsx';
import { Commands } from '../parts/command.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { FailureText, Wait } from '../parts/failure.tsx';
import { Labeled, Titled } from '../parts/labeled.tsx';
import { type NamedAppId, NewAppIdBox } from '../parts/new-app-id.tsx';
import { By, named, Sentences } from '../parts/sentences.tsx';
import { Table } from '../parts/table.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { Time } from '../parts/time-text.tsx';
import { numbered, TEXTS } from '../texts.ts';

const USES = ['Last use', 'Calls in 24 hours'];

interface PartProps {
  readonly clientId: string;
  readonly access: Access;
  readonly reload: () => void;
}

/** Says who may call on behalf of a client, and changes it. */
export function AccessScreen({ clientId }: { readonly clientId: string }) {
  const { value, failure, reload } = useLoaded<Access>(`${clientPath(clientId)}/access`);
  if (!value) return <Wait failure={failure} retry={reload} />;
  const props = { clientId, access: value, reload };
  const { appIds, commands } = value;
  const hasAppId = appIds.some(({ isAppId }) => isAppId);
  return (
    <>
      <ItemFindings findings={value.ofItem} />
      {value.isLockedOut && !hasAppId && (
        <p>
          A new App-Id does not help apps that are released: they send the one that they have. Only
          the command line can permit it again (keys add --from).
        </p>
      )}
      <div class="thirds">
        <AppIds {...props} />
        <div>
          <AppClients key={String(value.appClients)} {...props} />
          <PromoCodes access={value} />
          <Removal clientId={clientId} />
        </div>
      </div>
      <Commands isOpen={value.isLockedOut && !hasAppId}>
        {[
          ['Permit an App-Id again that released apps send, from a file', commands.restore],
          ['Remove the client', commands.remove],
        ]}
      </Commands>
    </>
  );
}

/** The App-Ids by name and fingerprint; names, adds and revokes one. */
function AppIds({ clientId, access, reload }: PartProps) {
  const { appIds } = access;
  const path = clientPath(clientId);
  // Each count is a query of the logs, which costs.
  const [isAsked, setIsAsked] = useState(false);
  const ask = () => setIsAsked(true);
  const counts = useLoaded<AppIdUses>(isAsked ? `${path}/app-ids/uses` : undefined);
  const { value, failure } = counts;
  const uses = value && 'uses' in value ? value.uses : undefined;
  const unknown = value && 'unknown' in value ? value.unknown : failure?.message;
  const cellsOf = (fingerprint: string): ComponentChildren[] => {
    if (!isAsked) return [];
    const own = uses?.[fingerprint];
    if (!own) return Array(2).fill(unknown === undefined ? 'counting…' : 'unknown');
    const { lastLogged } = own;
    return [
      lastLogged === undefined ? 'none found' : <Time at={lastLogged} />,
      own.uses === 0 ? 'none found' : `at least ${numbered(own.uses)}`,
    ];
  };
  const permitted = appIds.filter(({ isAppId }) => isAppId);
  /** The App-Ids that were added here, and not revoked since. */
  const [added, setAdded] = useState<readonly NamedAppId[]>([]);
  const [pasted, setPasted] = useState('');
  const digest = useDigest(pasted.trim());
  const isFound = (fingerprint: string) => digest?.startsWith(fingerprint) ?? false;
  const found = appIds.find(({ fingerprint }) => isFound(fingerprint));
  const rows = appIds.map(({ fingerprint, isAppId, label, at, by }) => {
    const isUsed = (uses?.[fingerprint]?.uses ?? 0) > 0;
    const name = label ?? fingerprint;
    return [
      label ? (
        <bdi>{label}</bdi>
      ) : (
        <span class="quiet">{isAppId ? 'no name' : 'no app can send it'}</span>
      ),
      <code>{fingerprint}</code>,
      at && [<Time at={at} />, by && <By author={by} />],
      ...cellsOf(fingerprint),
      <span class="actions">
        <ConfirmButton
          name={label === undefined ? 'Name…' : 'Rename…'}
          label={`${label === undefined ? 'Name…' : 'Rename…'} ${name}`}
          title={`Name App-Id ${fingerprint}`}
          submit="Name it"
          path={`${path}/app-ids/name`}
          body={({ label: text }) => ({ fingerprint, label: text })}
          inputs={
            <Labeled label="Name" help="The app that sends it, such as iOS 4.">
              <input class="id" name="label" defaultValue={label ?? ''} maxLength={64} required />
            </Labeled>
          }
          onDone={reload}
        >
          <p>Operators see the name here. No app knows it, and it is no version in the history.</p>
        </ConfirmButton>
        <ConfirmButton
          name="Revoke…"
          label={`Revoke… ${name}`}
          isDisabled={permitted.every((one) => one.fingerprint === fingerprint)}
          isDanger
          onOpen={ask}
          title={say`Revoke App-Id ${[fingerprint]}${label === undefined ? [] : say`, ${label}`}`}
          submit={isUsed ? 'Revoke it, although apps use it' : 'Revoke'}
          path={`${path}/app-ids/revoke`}
          body={{ fingerprint }}
          onDone={() => {
            setAdded(added.filter(({ made }) => made.fingerprint !== fingerprint));
            reload();
          }}
        >
          <p class={isUsed ? 'failure' : ''}>
            <strong>{usesText(uses?.[fingerprint]?.uses, unknown)}</strong>
          </p>
          <p>
            Apps that send it are refused from then on. Only the command line can add the same
            App-Id again (keys add --from).
          </p>
        </ConfirmButton>
      </span>,
    ];
  });
  return (
    <section>
      <Titled
        title="App-Ids"
        help="An app sends its App-Id with each call; only the App-Ids of this client may read its configuration, and only with the token of a customer. A fingerprint names an App-Id without revealing it. Uses are from the logs of the last 24 hours, which have the first use in an hour at once, and others later or not at all."
      />
      <Table
        name="App-Ids"
        labels={USES}
        columns={['Name', 'Fingerprint', 'Added', ...(isAsked ? USES : []), '']}
        rows={rows}
        marked={found ? appIds.indexOf(found) : -1}
      />
      {permitted.length === 0 && <p>None is permitted.</p>}
      {permitted.length === 1 && <p class="quiet">{TEXTS.lastAppId}</p>}
      {unknown !== undefined && <p class="notice">{unknownText(unknown)}</p>}
      {appIds.length > 0 && (
        <p>
          <Button onClick={isAsked ? counts.reload : ask}>
            {isAsked ? 'Look again' : 'Look for their last uses'}
          </Button>
        </p>
      )}
      <Addition
        {...{ clientId, added }}
        onAdded={(one) => {
          setAdded([one, ...added]);
          reload();
        }}
      >
        <Labeled
          label="Find an App-Id"
          help="Paste one, such as one that has leaked. Its fingerprint is made on this page. The App-Id is neither sent nor stored."
        >
          <TextInput type="search" value={pasted} onInput={setPasted} />
        </Labeled>
      </Addition>
      <p role="status">
        {digest !== undefined &&
          (found
            ? [
                'The App-Id that you look for is ',
                <bdi>{found.label ?? 'the one without a name'}</bdi>,
                `, ${found.fingerprint}, which is marked above.`,
              ]
            : 'This client does not have the App-Id that you look for.')}
      </p>
    </section>
  );
}

const unknownText = (reason: string) => `How often apps called is unknown: ${reason}`;

function usesText(uses: number | undefined, unknown: string | undefined): string {
  if (unknown !== undefined) return unknownText(unknown);
  if (uses === undefined) return 'counting…';
  return uses === 0
    ? 'No call with it was found in the last 24 hours. An app that is seldom used may still send it.'
    : `Apps use it: they called at least ${counted(uses, 'time')} in the last 24 hours. They stop working for their customers.`;
}

/** Returns the fingerprint of an App-Id in full; undefined without one, and until it is made. */
function useDigest(appId: string): string | undefined {
  const [made, setMade] = useState({ appId: '', digest: '' });
  useEffect(() => {
    void crypto.subtle.digest('SHA-256', new TextEncoder().encode(appId)).then((bytes) => {
      const digits = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0'));
      setMade({ appId, digest: digits.join('') });
    });
  }, [appId]);
  return appId !== '' && made.appId === appId ? made.digest : undefined;
}

interface AdditionProps {
  readonly clientId: string;
  readonly added: readonly NamedAppId[];
  readonly onAdded: (one: NamedAppId) => void;
  /** Stands beside the form. */
  readonly children: ComponentChildren;
}

function Addition({ clientId, added, onAdded, children }: AdditionProps) {
  const [label, setLabel] = useState('');
  const [{ failure }, setAnswer] = useState<Answer<NewAppId>>({});
  const add = async (event: Event) => {
    event.preventDefault();
    const body = label.trim() === '' ? {} : { label };
    const answer = await send<NewAppId>(`${clientPath(clientId)}/app-ids`, '', body);
    setAnswer(answer);
    if (!answer.value) return;
    onAdded({ made: answer.value, name: label.trim() });
    setLabel('');
  };
  return (
    <>
      <form class="choice" onSubmit={add}>
        <Labeled
          label="Name of the new App-Id"
          help="The app that gets it, such as iOS 4. To replace an App-Id: add another one, release apps that send it, and revoke the old one when no release that sends it is in use. Only the releases of your apps tell when."
        >
          <TextInput class="id" value={label} onInput={setLabel} />
        </Labeled>
        <button type="submit" class={added.length > 0 ? 'outline secondary' : ''}>
          Add an App-Id
        </button>
        {children}
      </form>
      {failure && <FailureText failure={failure} />}
      {added.map((one) => (
        <NewAppIdBox key={one.made.fingerprint} {...one} />
      ))}
    </>
  );
}

/** The app clients whose tokens the client accepts. */
function AppClients({ clientId, access, reload }: PartProps) {
  const { known, appClients, ofItem } = access;
  const [chosen, setChosen] = useState(appClients ?? []);
  const before = appClients ?? [];
  const added = chosen.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !chosen.includes(id));
  const isEdited = ofItem.some(
    ({ code, path: [name] }) => code === 'editedRule' && name === 'userPoolClientIds',
  );
  const isSame = appClients !== undefined && !isEdited && added.length + removed.length === 0;
  const refused = appClients ? removed : ['any other'];
  return (
    <section>
      <Titled
        title={TEXTS.appClients}
        help="Customers sign in to an app through an app client of Cognito. This client accepts the tokens of those that are ticked."
      />
      <AppClientChoice {...{ known, chosen }} onChange={setChosen} />
      <p class="actions">
        <ConfirmButton
          name="Set the app clients…"
          isDisabled={isSame || chosen.length === 0}
          title="Set the app clients"
          submit="Set"
          isDanger={refused.length > 0}
          path={`${clientPath(clientId)}/app-clients`}
          body={{ appClients: chosen, seen: appClients ?? null }}
          onDone={reload}
        >
          <Sentences>
            {[
              ...(added.length > 0 ? [say`Accepted from then on: ${named(added)}.`] : []),
              ...(refused.length > 0
                ? [say`Refused from then on: customers who signed in through ${named(refused)}.`]
                : []),
            ]}
          </Sentences>
        </ConfirmButton>
        <span role="status">{chosen.length === 0 && TEXTS.noneChosen}</span>
      </p>
    </section>
  );
}

/** Says whether the case of promo codes counts. */
function PromoCodes({ access }: Pick<PartProps, 'access'>) {
  return (
    <section>
      <Titled
        title="Promo codes"
        help="This is set when a client is created. Nothing changes it later, because customers could apply their codes again in another case."
      />
      <p>
        {access.promoCodesIgnoreCase
          ? 'Case does not count: SAVE10 and save10 are one code.'
          : 'Case counts: SAVE10 and save10 are two codes.'}
      </p>
    </section>
  );
}

function Removal({ clientId }: Pick<PartProps, 'clientId'>) {
  return (
    <ConfirmButton
      name="Remove this client…"
      title={say`Remove ${clientId}`}
      submit="Remove this client"
      isDanger
      typed={clientId}
      path={`${clientPath(clientId)}/remove`}
      body={{}}
      onDone={() => {
        location.hash = '#/';
      }}
    >
      <p class="failure">
        Every call of its apps is refused from then on. Its history and promo codes are kept: to
        bring it back, create a client of this id, and restore a version in its history.
      </p>
    </ConfirmButton>
  );
}
