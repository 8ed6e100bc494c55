import { useState } from 'preact/hooks';
import type { ClientFindings, Clients, Deployment, ListedClient } from '../answers.ts';
import { useLoaded } from '../loaded.ts';
import {
  authorName,
  Command,
  FailureText,
  FindingCount,
  type Sort,
  Table,
  TextInput,
  Time,
  Wait,
} from '../parts/basics.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { NewClient } from '../parts/new-client.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { draftKey } from '../use-draft.ts';

const texts = TEXTS.clients;
/** More rows make a page slow; a search finds the others. */
const MAX_ROWS = 100;

/** A client, with what was found in it once that is read. */
type Row = ListedClient & { readonly found?: ClientFindings['clients'][number] | undefined };

/** Lists the clients, which can be searched and sorted, and creates one. */
export function ClientsScreen({ deployment }: { readonly deployment: Deployment }) {
  const { value, failure, reload } = useLoaded<Clients>('clients');
  const findings = useLoaded<ClientFindings>('findings');
  const [search, setSearch] = useState('');
  const [isOnlyWrong, setIsOnlyWrong] = useState(false);
  const [sort, setSort] = useState<Sort>({ column: 0, isDescending: false });
  if (!value) return <Wait failure={failure} retry={reload} />;
  const { clients, command, create } = value;
  const byId = new Map(findings.value?.clients.map((one) => [one.clientId, one]));
  const all = clients.map((client): Row => ({ ...client, found: byId.get(client.clientId) }));
  const text = search.trim().toLowerCase();
  const found = all
    .filter((row) => row.clientId.toLowerCase().includes(text) && (!isOnlyWrong || isWrong(row)))
    .toSorted((one, other) => order(one, other, sort));
  const none = clients.length === 0 ? texts.none : isOnlyWrong && text === '' && texts.noneWrong;
  return (
    <>
      <NewClient
        known={deployment.appClients}
        command={create}
        onCreated={() => {
          reload();
          findings.reload();
        }}
      />
      <Labeled label={texts.search}>
        <TextInput type="search" value={search} onInput={setSearch} />
      </Labeled>
      <label>
        <span>{texts.onlyWrong(all.filter(isWrong).length)}</span>
        <input
          type="checkbox"
          checked={isOnlyWrong}
          onChange={({ currentTarget }) => setIsOnlyWrong(currentTarget.checked)}
        />
      </label>
      <p class="quiet" role="status">
        {found.length === 0
          ? none || texts.noMatch(search)
          : texts.shown(found.length, clients.length)}
        {found.length > MAX_ROWS && ` ${texts.first(MAX_ROWS)}`}
        {!findings.value && !findings.failure && ` ${texts.checking}`}
      </p>
      {findings.failure && <FailureText failure={findings.failure} retry={findings.reload} />}
      <Table
        columns={texts.columns}
        rows={found.slice(0, MAX_ROWS).map((row) => cellsOf(row, deployment.id))}
        sort={sort}
        onSort={setSort}
      />
      <p class="quiet">{texts.calls}</p>
      <Command>{command}</Command>
    </>
  );
}

function isWrong({ isLockedOut, found }: Row): boolean {
  return isLockedOut || (found !== undefined && attentionOf(found) > 0);
}

/** Weighs what is wrong: being locked out is worse than any error, and errors than warnings. */
function attentionOf({ isLockedOut, errors, warnings }: ClientFindings['clients'][number]): number {
  return (isLockedOut ? 1e12 : 0) + errors * 1e6 + warnings;
}

/** Compares by the column that is chosen, and by the id. */
function order(one: Row, other: Row, { column, isDescending }: Sort): number {
  const [first = '', second = ''] = [one, other].map((row) => keysOf(row)[column]);
  const byKey = Number(first > second) - Number(first < second);
  const byId = Number(one.clientId > other.clientId) - Number(one.clientId < other.clientId);
  return (isDescending ? -byKey : byKey) || byId;
}

function keysOf({ clientId, appIdCount, lastChange, found }: Row): (string | number)[] {
  return [
    clientId,
    found ? attentionOf(found) : -1,
    found?.fields ?? -1,
    appIdCount,
    lastChange?.at ?? '',
    lastChange?.message ?? '',
  ];
}

function cellsOf(row: Row, stack: string) {
  const { clientId, appIdCount, lastChange, found } = row;
  const isLockedOut = found?.isLockedOut ?? row.isLockedOut;
  const hasDraft = localStorage.getItem(draftKey(stack, clientId)) !== null;
  const { errors = 0, warnings = 0 } = found ?? {};
  const access = clientHref(clientId, 'access');
  return [
    [
      <a href={clientHref(clientId)}>{clientId}</a>,
      ' ',
      hasDraft && <b class="badge">{texts.draft}</b>,
    ],
    // Whoever is locked out has an error that says so.
    isLockedOut ? (
      <a href={access} class="badge bad">
        {texts.lockedOut}
      </a>
    ) : (
      errors + warnings > 0 && (
        <a href={clientHref(clientId, 'configuration', { fix: '1' })}>
          <FindingCount findings={errors + warnings} errors={errors} />
        </a>
      )
    ),
    found?.fields,
    <a href={access}>{appIdCount}</a>,
    lastChange
      ? [<Time at={lastChange.at} />, ` ${TEXTS.history.by(authorName(lastChange.by))}`]
      : texts.neverChanged,
    lastChange?.message,
  ];
}
