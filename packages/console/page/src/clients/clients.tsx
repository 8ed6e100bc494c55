import { authorName, counted, isPreview } from 'customer-data-api/configuration';
import { useEffect, useState } from 'preact/hooks';
import type { ClientFindings, Clients, Deployment, ListedClient } from '../answers.ts';
import { useLoaded } from '../api.ts';
import { draftKey } from '../draft/use-draft.ts';
import { FindingCount } from '../findings/badge.tsx';
import { Wait } from '../parts/failure.tsx';
import { Icon } from '../parts/icons.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { type Sort, Table } from '../parts/table.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { Time } from '../parts/time-text.tsx';
import { clientHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { NewClient } from './new-client.tsx';

/** More rows make a page slow; a search finds the others. */
const MAX_ROWS = 100;

/** A client, with what was found in it once that is read. */
type Row = ListedClient & { readonly found?: ClientFindings['clients'][number] | undefined };

const COLUMNS = ['Client', 'State', 'Last change, unless manual', 'Reason', 'Fields', 'App-Ids'];

interface Props {
  readonly deployment: Deployment;
  readonly onAttention: (clients: number) => void;
}

/** Lists the clients, first those that need attention, and creates one. */
export function ClientsScreen({ deployment, onAttention }: Props) {
  const { value, failure, reload } = useLoaded<Clients>('clients');
  const findings = useLoaded<ClientFindings>('findings');
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>({ column: 1, isDescending: true });
  useEffect(() => {
    if (findings.value) onAttention(findings.value.clients.filter(isUrgent).length);
  }, [findings.value]);
  if (!value) return <Wait failure={failure} retry={reload} />;
  const { clients } = value;
  const byId = new Map(findings.value?.clients.map((one) => [one.clientId, one]));
  const text = search.trim().toLowerCase();
  const found = clients
    .filter(({ clientId }) => clientId.toLowerCase().includes(text))
    .map((client): Row => ({ ...client, found: byId.get(client.clientId) }))
    .toSorted((one, other) => order(one, other, sort));
  return (
    <>
      <div class="choice">
        <Labeled label="Search clients">
          <TextInput type="search" value={search} onInput={setSearch} />
        </Labeled>
        <NewClient
          known={deployment.appClients}
          onCreated={() => {
            reload();
            findings.reload();
          }}
        />
      </div>
      <p class="quiet" role="status">
        {clients.length === 0
          ? 'There is no client. Create one.'
          : text !== '' && `${found.length} of ${counted(clients.length, 'client')}`}
        {found.length > MAX_ROWS && ` These are the first ${MAX_ROWS}. Search for the others.`}
      </p>
      {!findings.value && (
        <Wait failure={findings.failure} retry={findings.reload} text="Checking…" />
      )}
      {/* No row moves away from a hand that is just going to press it. */}
      {(findings.value ?? findings.failure) && (
        <Table
          name="Clients"
          columns={COLUMNS}
          labels={['Fields', 'App-Ids']}
          rows={found.slice(0, MAX_ROWS).map((row) => cellsOf(row, deployment.id))}
          sort={sort}
          onSort={setSort}
        />
      )}
    </>
  );
}

function isUrgent({ isLockedOut, errors }: ClientFindings['clients'][number]): boolean {
  return isLockedOut || errors > 0;
}

/** The address where the worst of a client is solved. */
function solvedAt({ clientId, isLockedOut, editedRules = 0 }: Solved): string {
  return isLockedOut || editedRules > 0
    ? clientHref(clientId, 'access')
    : clientHref(clientId, 'configuration', { fix: '1' });
}

type Solved = Pick<Row, 'clientId' | 'isLockedOut'> &
  Partial<Pick<ClientFindings['clients'][number], 'editedRules'>>;

/** Weighs what is wrong: a lockout more than errors, errors more than warnings or a rollout. */
function attentionOf({ isLockedOut, found }: Row): number {
  const { errors = 0, warnings = 0, rollout } = found ?? {};
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
    lastChange?.at ?? '',
    lastChange?.message ?? '',
    found?.fields ?? -1,
    appIdCount,
  ];
}

function cellsOf(row: Row, stack: string) {
  const { clientId, appIdCount, lastChange, found } = row;
  const isLockedOut = found?.isLockedOut ?? row.isLockedOut;
  const hasDraft = localStorage.getItem(draftKey(stack, clientId)) !== null;
  const { errors = 0, warnings = 0, rollout } = found ?? {};
  const wrong = isLockedOut ? (
    <span class="badge bad">
      <Icon name="error" />
      Locked out
    </span>
  ) : (
    errors + warnings > 0 && <FindingCount findings={errors + warnings} errors={errors} />
  );
  const chips = [
    wrong && <a href={solvedAt({ ...found, clientId, isLockedOut })}>{wrong}</a>,
    rollout && (
      <span class="badge">{isPreview(rollout) ? 'Preview' : `Rollout ${rollout.percent} %`}</span>
    ),
  ].filter(Boolean);
  return [
    [
      <a href={clientHref(clientId)}>{clientId}</a>,
      ' ',
      hasDraft && <b class="badge warning">Draft</b>,
    ],
    chips.length > 0 && <span class="actions">{chips}</span>,
    lastChange && [
      <Time at={lastChange.at} />,
      <span class="quiet">{` ${TEXTS.by(authorName(lastChange.by))}`}</span>,
    ],
    lastChange?.message,
    found?.fields,
    <a href={clientHref(clientId, 'access')}>{appIdCount}</a>,
  ];
}
