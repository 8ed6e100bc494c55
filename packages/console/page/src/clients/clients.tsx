import { counted, isPreview } from 'customer-data-api/configuration';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ClientFindings, Clients, Deployment, FoundClient, ListedClient } from '../answers.ts';
import { type Loaded, read, useLoaded } from '../api.ts';
import { draftKey } from '../draft/use-draft.ts';
import { Button } from '../parts/button.tsx';
import { Wait } from '../parts/failure.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { By } from '../parts/sentences.tsx';
import { type Sort, Table } from '../parts/table.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { Time } from '../parts/time-text.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { NewClient } from './new-client.tsx';
import { OnCall } from './on-call.tsx';
import { Trouble } from './trouble.tsx';

/** The most rows: more make a page slow, and a search finds the others. */
const MAX_ROWS = 100;

/** A client, with what was found in it once that is read. One that was removed is only found. */
type Row = Pick<ListedClient, 'clientId'> &
  Partial<ListedClient> & { readonly found: FoundClient | undefined };

/** The milliseconds for which the list waits for its order. Thousands of clients take a minute. */
const PATIENCE_MS = 3000;
const COLUMNS = ['Client', 'State', 'Last change', 'Reason', 'Fields', 'App-Ids'];

interface Props {
  readonly deployment: Deployment;
  readonly findings: Loaded<ClientFindings>;
  /** `create` has the id of a client that is to be created again. */
  readonly query: URLSearchParams;
}

/** Lists the clients, first those that need attention, and creates one. */
export function ClientsScreen({ deployment, findings, query }: Props) {
  const { value, failure, reload } = useLoaded<Clients>('clients');
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>({ column: 1, isDescending: true });
  const [isAgain, setIsAgain] = useState(false);
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  // The server has compared the list with what it has found.
  useLayoutEffect(() => {
    if (value) findings.reload();
  }, [value]);
  if (!value) return <Wait failure={failure} retry={reload} />;
  const byId = new Map(findings.value?.clients.map((one) => [one.clientId, one]));
  const removed = [...byId.values()].filter(({ removedAt }) => removedAt !== undefined);
  const text = search.trim().toLowerCase();
  const all = [...value.clients, ...removed];
  const found = all
    .filter(({ clientId }) => clientId.toLowerCase().includes(text))
    .map((client): Row => ({ ...client, found: byId.get(client.clientId) }))
    .toSorted((one, other) => order(one, other, sort));
  const again = async () => {
    setIsAgain(true);
    await read('findings?again');
    setIsAgain(false);
    reload();
  };
  const isChecking = isAgain || findings.isLoading;
  return (
    <>
      <div class="choice">
        <Labeled label="Search clients">
          <TextInput type="search" value={search} onInput={setSearch} />
        </Labeled>
        <NewClient
          known={deployment.appClients}
          again={query.get('create') ?? ''}
          onCreated={reload}
        />
      </div>
      <p class="quiet" role="status">
        {all.length === 0
          ? 'There is no client. Create one.'
          : text !== '' && `${found.length} of ${counted(all.length, 'client')}`}
        {found.length > MAX_ROWS && ` These are the first ${MAX_ROWS}. Search for the others.`}
      </p>
      {(isChecking || findings.failure) && (
        <Wait failure={findings.failure} retry={findings.reload} text="Checking…" />
      )}
      {/* No row moves away from a hand that is just going to press it. */}
      {(!isChecking || isLate || text) && (
        <Table
          name="Clients"
          columns={COLUMNS}
          labels={['Fields', 'App-Ids']}
          rows={found.slice(0, MAX_ROWS).map((row) => cellsOf(row, deployment.id))}
          sort={sort}
          onSort={setSort}
        />
      )}
      {findings.value && (
        <p class="actions">
          <span class="quiet">
            Checked <Time at={findings.value.at} />
          </span>
          <Button class="text" onClick={again}>
            Check again
          </Button>
        </p>
      )}
      <OnCall />
    </>
  );
}

/** Weighs what is wrong: a lockout more than errors, errors more than warnings or a rollout. */
function attentionOf({ found }: Row): number {
  if (!found) return 0;
  const { isLockedOut, errors, warnings, rollout } = found;
  return (isLockedOut ? 1e12 : 0) + errors * 1e6 + warnings + (rollout ? 0.5 : 0);
}

/** Compares by the column that is chosen, and by the id. */
function order(one: Row, other: Row, { column, isDescending }: Sort): number {
  const [first = '', second = ''] = [one, other].map((row) => keysOf(row)[column]);
  const byKey = Number(first > second) - Number(first < second);
  const byId = Number(one.clientId > other.clientId) - Number(one.clientId < other.clientId);
  return (isDescending ? -byKey : byKey) || byId;
}

function keysOf(row: Row): (string | number)[] {
  const { clientId, appIdCount, lastChange, found } = row;
  return [
    clientId,
    attentionOf(row),
    changeOf(row)?.at ?? '',
    lastChange?.message ?? '',
    found?.fields ?? -1,
    appIdCount ?? -1,
  ];
}

/** The newest change of a client. Nobody can say who made a manual one, or why. */
function changeOf({ lastChange, found }: Row): Partial<NonNullable<Row['lastChange']>> | undefined {
  const edit = found?.edit;
  return edit && edit.at > (lastChange?.at ?? '') ? { at: edit.at } : lastChange;
}

function cellsOf(row: Row, stack: string) {
  const { clientId, appIdCount, found, isLockedOut } = row;
  const { fields, rollout, edit, removedAt } = found ?? {};
  const change = changeOf(row);
  const hasDraft = localStorage.getItem(draftKey(stack, clientId)) !== null;
  const href = clientHref(clientId, removedAt === undefined ? 'configuration' : 'history');
  const compare = edit?.before === undefined ? '' : `${edit.before}..${edit.version}`;
  return [
    [
      <a href={href}>
        <bdi>{clientId}</bdi>
      </a>,
      ' ',
      hasDraft && <b class="badge warning">Draft</b>,
      rollout && (
        <span class="badge">{isPreview(rollout) ? 'Preview' : `Rollout ${rollout.percent} %`}</span>
      ),
    ],
    found ? <Trouble found={found} /> : isLockedOut && <b class="bad">{TEXTS.lockedOut}</b>,
    change && [
      <Time at={change.at} />,
      change.by && <By author={change.by} />,
      ' ',
      edit && (
        <a class="badge warning" href={clientHref(clientId, 'history', { compare })}>
          {TEXTS.manualEdit}
        </a>
      ),
    ],
    change?.message ?? [],
    fields,
    appIdCount !== undefined && <a href={clientHref(clientId, 'access')}>{appIdCount}</a>,
  ];
}
