import { useState } from 'preact/hooks';
import { useLoaded } from '../loaded.ts';
import { Command, Time, Wait } from '../parts/basics.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import type { Deployment, ListedClient } from '../types.ts';

/** More rows make a page slow; a search finds the others. */
const PAGE = 100;

/** Lists the clients, which can be searched. */
export function ClientsScreen({ deployment }: { readonly deployment: Deployment }) {
  const { value, failure, reload } = useLoaded<{
    readonly clients: readonly ListedClient[];
    readonly command: string;
  }>('clients');
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const { columns } = TEXTS.clients;
  if (!value) return <Wait failure={failure} retry={reload} />;
  const text = search.trim().toLowerCase();
  const found = value.clients.filter(({ clientId }) => clientId.toLowerCase().includes(text));
  return (
    <>
      <label class="labeled search">
        <span>{TEXTS.clients.search}</span>
        <input
          type="search"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </label>
      <p class="quiet" role="status">
        {value.clients.length === 0
          ? TEXTS.clients.none
          : found.length === 0
            ? TEXTS.clients.noMatch(search)
            : TEXTS.clients.shown(found.length, value.clients.length)}
      </p>
      {found.length > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{columns.client}</th>
                <th scope="col">{columns.appIds}</th>
                <th scope="col">{columns.changed}</th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, limit).map((client) => (
                <Row key={client.clientId} client={client} deploymentId={deployment.id} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {found.length > limit && (
        <button type="button" onClick={() => setLimit(limit + PAGE)}>
          {TEXTS.clients.more}
        </button>
      )}
      <Command>{value.command}</Command>
    </>
  );
}

interface RowProps {
  readonly client: ListedClient;
  readonly deploymentId: string;
}

function Row({ client, deploymentId }: RowProps) {
  const { clientId, appIdCount, isLockedOut, lastChange } = client;
  const hasDraft = localStorage.getItem(`draft ${deploymentId} ${clientId}`) !== null;
  return (
    <tr>
      <th scope="row">
        <a href={clientHref(clientId)}>{clientId}</a>{' '}
        {hasDraft && <span class="badge">{TEXTS.clients.draft}</span>}
      </th>
      <td>
        {appIdCount} {isLockedOut && <span class="badge bad">{TEXTS.clients.lockedOut}</span>}
      </td>
      <td>
        {lastChange ? (
          <>
            <Time at={lastChange.at} /> {TEXTS.history.by(lastChange.by)}
            <span class="quiet message">{lastChange.message}</span>
          </>
        ) : (
          <span class="quiet">{TEXTS.clients.neverChanged}</span>
        )}
      </td>
    </tr>
  );
}
