import { useState } from 'preact/hooks';
import { useLoaded } from '../loaded.ts';
import { Command, Table, TextInput, Time, Wait } from '../parts/basics.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import type { Clients, Deployment, ListedClient } from '../types.ts';
import { draftKey } from '../use-draft.ts';

/** More rows make a page slow; a search finds the others. */
const MAX_ROWS = 100;

/** Lists the clients, which can be searched. */
export function ClientsScreen({ deployment }: { readonly deployment: Deployment }) {
  const { value, failure, reload } = useLoaded<Clients>('clients');
  const [search, setSearch] = useState('');
  const texts = TEXTS.clients;
  if (!value) return <Wait failure={failure} retry={reload} />;
  const { clients, command } = value;
  const text = search.trim().toLowerCase();
  const found = clients.filter(({ clientId }) => clientId.toLowerCase().includes(text));
  const none = clients.length === 0 ? texts.none : texts.noMatch(search);
  const rows = found.slice(0, MAX_ROWS).map((client) => cellsOf(client, deployment.id));
  return (
    <>
      <Labeled label={texts.search}>
        <TextInput type="search" value={search} onInput={setSearch} />
      </Labeled>
      <p class="quiet" role="status">
        {found.length === 0 ? none : texts.shown(found.length, clients.length)}
        {found.length > MAX_ROWS && ` ${texts.first(MAX_ROWS)}`}
      </p>
      <Table columns={texts.columns} rows={rows} />
      <Command>{command}</Command>
    </>
  );
}

function cellsOf({ clientId, appIdCount, isLockedOut, lastChange }: ListedClient, stack: string) {
  const hasDraft = localStorage.getItem(draftKey(stack, clientId)) !== null;
  const { draft, lockedOut, neverChanged } = TEXTS.clients;
  return [
    [<a href={clientHref(clientId)}>{clientId}</a>, ' ', hasDraft && <b class="badge">{draft}</b>],
    [appIdCount, ' ', isLockedOut && <span class="badge bad">{lockedOut}</span>],
    lastChange
      ? [<Time at={lastChange.at} />, ` ${TEXTS.history.by(lastChange.by)}`]
      : neverChanged,
    lastChange?.message,
  ];
}
