import { authorName, counted, shareText } from 'customer-data-api/configuration';
import { useEffect, useState } from 'preact/hooks';
import type { ClientFindings, Clients, Deployment, ListedClient } from '../answers.ts';
import { type Loaded, useLoaded } from '../api.ts';
import { draftKey } from '../draft/use-draft.ts';
import { FindingCount } from '../findings/badge.tsx';
import { Commands } from '../parts/command.tsx';
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

/** Says what needs attention and which rollouts run; lists the clients, and creates one. */
export function ClientsScreen({ deployment, onAttention }: Props) {
  const { value, failure, reload } = useLoaded<Clients>('clients');
  const findings = useLoaded<ClientFindings>('findings');
  const [search, setSearch] = useState('');
  const [isOnlyWrong, setIsOnlyWrong] = useState(false);
  const [sort, setSort] = useState<Sort>({ column: 0, isDescending: false });
  useEffect(() => {
    if (findings.value) onAttention(findings.value.clients.filter(isUrgent).length);
  }, [findings.value]);
  if (!value) return <Wait failure={failure} retry={reload} />;
  const { clients, commands } = value;
  const byId = new Map(findings.value?.clients.map((one) => [one.clientId, one]));
  const all = clients.map((client): Row => ({ ...client, found: byId.get(client.clientId) }));
  const text = search.trim().toLowerCase();
  const found = all
    .filter((row) => row.clientId.toLowerCase().includes(text) && (!isOnlyWrong || isWrong(row)))
    .toSorted((one, other) => order(one, other, sort));
  const none =
    clients.length === 0
      ? 'There is no client. Create one.'
      : isOnlyWrong && text === '' && 'None has errors or warnings.';
  return (
    <>
      <Now findings={findings} />
      <div class="choice">
        <Labeled label="Search clients">
          <TextInput type="search" value={search} onInput={setSearch} />
        </Labeled>
        <label>
          <span>{`Only those with errors or warnings (${all.filter(isWrong).length})`}</span>
          <input
            type="checkbox"
            checked={isOnlyWrong}
            onChange={({ currentTarget }) => setIsOnlyWrong(currentTarget.checked)}
          />
        </label>
        <NewClient
          known={deployment.appClients}
          onCreated={() => {
            reload();
            findings.reload();
          }}
        />
      </div>
      <p class="quiet" role="status">
        {found.length === 0
          ? none || `No client matches "${search}".`
          : `${found.length} of ${counted(clients.length, 'client')}`}
        {found.length > MAX_ROWS && ` These are the first ${MAX_ROWS}. Search for the others.`}
      </p>
      <Table
        name="Clients"
        columns={COLUMNS}
        labels={['Fields', 'App-Ids']}
        rows={found.slice(0, MAX_ROWS).map((row) => cellsOf(row, deployment.id))}
        sort={sort}
        onSort={setSort}
      />
      <Commands>
        {[
          ['List the clients', commands.list],
          ['Create one', commands.create],
        ]}
      </Commands>
    </>
  );
}

/** More of what is urgent is in the list of all clients. */
const MAX_URGENT = 10;

/** The problems that need attention, and the rollout that runs. */
function Now({ findings }: { readonly findings: Loaded<ClientFindings> }) {
  const { value, failure, reload } = findings;
  if (!value) return <Wait failure={failure} retry={reload} text="Checking…" />;
  const urgent = value.clients
    .filter(isUrgent)
    .toSorted((one, other) => attentionOf(other) - attentionOf(one));
  const rollouts = value.clients.filter(({ rollout }) => rollout);
  return (
    <div class="halves">
      {urgent.length === 0 && <p class="quiet">No client needs attention.</p>}
      {urgent.length > 0 && (
        <section aria-label="Needs attention">
          <h2>Needs attention</h2>
          <ul class="plain">
            {urgent.slice(0, MAX_URGENT).map((one) => (
              <li key={one.clientId}>
                <a href={solvedAt(one)} class="bad">
                  <Icon name="error" /> {`${one.clientId}: ${worstOf(one)}`}
                </a>
              </li>
            ))}
          </ul>
          {urgent.length > MAX_URGENT && <p>{`… and ${urgent.length - MAX_URGENT} more, below`}</p>}
        </section>
      )}
      {rollouts.length > 0 && (
        <section aria-label="Rollouts that run">
          <h2>Rollouts that run</h2>
          <ul class="plain">
            {rollouts.map(({ clientId, rollout }) => (
              <li key={clientId}>
                <a href={clientHref(clientId)}>
                  {rollout &&
                    `${clientId}: ${shareText({ ...rollout, devices: { length: rollout.devices } })}`}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function isUrgent({ isLockedOut, errors }: ClientFindings['clients'][number]): boolean {
  return isLockedOut || errors > 0;
}

/** Says the worst of an urgent client. */
function worstOf({ isLockedOut, errors, editedRules }: ClientFindings['clients'][number]): string {
  if (isLockedOut) return 'locked out, all calls of its apps are refused';
  return editedRules > 0
    ? TEXTS.editedRule
    : `${counted(errors, 'error')}, customers do not see fields with errors`;
}

/** The address where the worst of a client is solved. */
function solvedAt({ clientId, isLockedOut, editedRules = 0 }: Solved): string {
  return isLockedOut || editedRules > 0
    ? clientHref(clientId, 'access')
    : clientHref(clientId, 'configuration', { fix: '1' });
}

type Solved = Pick<Row, 'clientId' | 'isLockedOut'> &
  Partial<Pick<ClientFindings['clients'][number], 'editedRules'>>;

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
    rollout && <span class="badge">{`Rollout ${rollout.percent} %`}</span>,
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
