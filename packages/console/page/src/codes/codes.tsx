import { counted } from 'customer-data-api/configuration';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CodeCommands, CodeRefusals, Codes, FailureBody, PromoEvent } from '../answers.ts';
import { clientPath, read, save, useLoaded } from '../api.ts';
import { Button, CopyButton } from '../parts/button.tsx';
import { Commands } from '../parts/command.tsx';
import { bringIntoView, Dialog } from '../parts/dialog.tsx';
import { DocumentLink } from '../parts/document-link.tsx';
import { FailureText, Wait } from '../parts/failure.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { type Sort, Table } from '../parts/table.tsx';
import { Time, timeZone } from '../parts/time-text.tsx';
import { clientHref } from '../route.ts';
import { numbered, TEXTS } from '../texts.ts';
import { CodesChart } from './chart.tsx';
import { joined } from './counts.ts';

const INPUTS = {
  user: 'User id',
  code: 'Promo code',
  device: 'Device id',
  since: 'From',
  until: 'To, inclusive',
};
const isDate = (name: string) => ['since', 'until'].includes(name);

type Refusal = Extract<CodeRefusals, { ofClient: unknown }>['ofClient'][number];

/** Conditions of a search, as the operator entered them. Without any, it finds all. */
type Conditions = Readonly<Partial<Record<keyof typeof INPUTS, string>>>;

/** The days that a button chooses, today included. */
const PERIODS = { Today: 1, '7 days': 7 };

/** Returns the address of a search. */
function searchHref(clientId: string, conditions: Conditions): string {
  const query = Object.values(conditions).some(Boolean) ? conditions : { all: 'true' };
  return clientHref(clientId, 'codes', query);
}

interface Props {
  readonly clientId: string;
  /** The conditions of the search, or `all`; empty before a search. */
  readonly query: URLSearchParams;
}

/** Finds the promo codes of a client by user, code, device and local date. */
export function CodesScreen({ clientId, query }: Props) {
  const conditions = conditionsOf((name) => query.get(name));
  const isAsked = query.has('all') || Object.keys(conditions).length > 0;
  /** Codes that earlier parts of a search found. */
  const [earlier, setEarlier] = useState<{ readonly of: string; readonly codes: Codes }>();
  const [csvFailure, setCsvFailure] = useState<FailureBody>();
  const form = useRef<HTMLFormElement>(null);
  const before = earlier?.of === `${query}` ? earlier.codes : undefined;
  const after = before?.rest?.after;
  const path = `${clientPath(clientId)}/codes?${parametersOf(conditions)}`;
  const asked = after === undefined ? path : `${path}&after=${encodeURIComponent(after)}`;
  const { value, failure, isLoading, reload } = useLoaded<Codes>(isAsked ? asked : undefined);
  const known = useLoaded<CodeCommands>(`${clientPath(clientId)}/codes/commands`);
  const codes = value ? joined(before, value) : before;
  const commands = codes?.commands ?? known.value;

  useLayoutEffect(() => {
    for (const input of form.current?.querySelectorAll('input') ?? []) {
      input.value = query.get(input.name) ?? '';
    }
  }, [`${query}`]);
  const search = (entered: Conditions) => {
    const href = searchHref(clientId, entered);
    setCsvFailure(undefined);
    setEarlier(undefined);
    if (location.hash === href) reload();
    else location.hash = href;
  };
  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const entered = conditionsOf((name) => data.get(name));
    if (event.submitter?.id !== 'csv') return search(entered);
    const csv = await read<Blob>(`${clientPath(clientId)}/codes.csv?${parametersOf(entered)}`);
    setCsvFailure(csv.failure);
    if (csv.value !== undefined) save(csv.value, fileNameOf(clientId, entered));
  };

  return (
    <>
      <form onSubmit={submit} ref={form}>
        <div class="grid">
          {Object.entries(INPUTS).map(([name, label]) => (
            <Labeled key={name} label={isDate(name) ? `${label} (${timeZone()})` : label}>
              <input
                name={name}
                {...(isDate(name) && { type: 'date' as const, max: '9999-12-31' })}
                autocomplete="off"
              />
            </Labeled>
          ))}
        </div>
        <p class="actions">
          <button type="submit">Search</button>
          {Object.entries(PERIODS).map(([name, days]) => (
            <Button
              key={name}
              class="text"
              aria-pressed={conditions.since === firstOf(days) && !conditions.until}
              onClick={() => {
                const data = new FormData(form.current ?? undefined);
                const entered = conditionsOf((one) => data.get(one));
                search({ ...entered, since: firstOf(days), until: '' });
              }}
            >
              {name}
            </Button>
          ))}
          <Button class="text" type="submit" id="csv">
            Download as CSV
          </Button>
        </p>
      </form>
      {csvFailure && <FailureText failure={csvFailure} />}
      {codes && (
        <Found
          {...{ clientId, codes }}
          isLimited={!!(conditions.device || conditions.since || conditions.until)}
          onReadOn={isLoading ? undefined : () => setEarlier({ of: `${query}`, codes })}
        />
      )}
      {(failure || (isLoading && !codes)) && <Wait failure={failure} retry={reload} />}
      <p class="quiet">
        {!codes &&
          'A user id finds all codes of that user, and what those on call need to hand over or erase them. Without one, a search reads up to 25,000 entries of this client at a time, in the order of user ids.'}
      </p>
      <Commands>
        {[
          ['Search', commands?.search],
          ['Write them as CSV', commands?.csv],
          ['Hand over what is stored of a user', commands?.handOver],
          ['Erase a user', commands?.erase],
        ]}
      </Commands>
    </>
  );
}

interface FoundProps {
  readonly clientId: string;
  readonly codes: Codes;
  /** True if a device or a time was asked for. */
  readonly isLimited: boolean;
  /** Reads the rest; undefined while it is read. */
  readonly onReadOn: (() => void) | undefined;
}

function Found({ clientId, codes, isLimited, onReadOn }: FoundProps) {
  const { events, found, applied, repeated, read: entries, rest, waiting, deadLetters } = codes;
  const { ofUser } = codes;
  const edited = found - applied - repeated;
  const ids = ofUser === undefined ? [] : [...new Set(events.map(({ userId = '' }) => userId))];
  return (
    <>
      <div role="status" ref={bringIntoView}>
        {found === 0 && (
          <p>
            No code found. A code and an id are found as a whole: check the spelling, and the
            client.
          </p>
        )}
        {found > 0 && (
          <p>
            <strong>{`${counted(applied, 'code')} applied, ${numbered(repeated)} sent again.`}</strong>{' '}
            Applied means recorded: the service does not know which codes exist.{' '}
            {edited > 0 &&
              `${counted(edited, 'entry', 'entries')} ${edited === 1 ? 'was' : 'were'} changed manually, and ${edited === 1 ? 'is' : 'are'} not counted. `}
            {found > events.length &&
              `These are the newest ${numbered(events.length)} of ${numbered(found)}. `}
            {`A code that is missing here ${waiting + deadLetters > 0 ? 'may be among those that are waiting; otherwise it ' : ''}was refused or never sent${isLimited ? ', or is of another time or device' : ''}.`}
          </p>
        )}
        {new Set(ids.map((id) => id.normalize())).size < ids.length && (
          <p>{`${numbered(ids.length)} ids that look alike are those of different users.`}</p>
        )}
        {!ofUser && (
          <p class="quiet">
            {rest
              ? `${numbered(entries)} entries were read so far, in the order of user ids${rest.user === undefined ? '' : `, up to "${rest.user}"`}. The rest can have more, newer ones too.`
              : `Everything of this client was read: ${counted(entries, 'entry', 'entries')}.`}
          </p>
        )}
        {waiting > 0 && (
          <p>{`${counted(waiting, 'request')} ${waiting === 1 ? 'is' : 'are'} waiting to be stored, for this client or another one.`}</p>
        )}
        {deadLetters > 0 && (
          <p class="notice">{`${counted(deadLetters, 'message')} could not be stored: see ./customer-data queue show.`}</p>
        )}
      </div>
      {rest && (
        <p>
          <Button aria-disabled={!onReadOn} onClick={() => onReadOn?.()}>
            {onReadOn ? 'Read on' : 'Reading…'}
          </Button>
        </p>
      )}
      {!ofUser && <CodesChart codes={codes} />}
      <Events {...{ clientId, events }} />
      {found === 0 ? <Refused {...{ clientId }} /> : <Missing {...{ clientId }} />}
      {ofUser !== undefined && <OfUser userId={ofUser} commands={codes.commands} />}
    </>
  );
}

interface OfUserProps {
  readonly userId: string;
  readonly commands: CodeCommands;
}

/** Commands that hand over or erase the data of a user, which the console does not do itself. */
function OfUser({ userId, commands: { handOver, erase } }: OfUserProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <p class="actions">
      <Button onClick={() => setIsOpen(true)}>How to hand over or erase this user's data…</Button>
      {isOpen && (
        <Dialog title={`The data of ${userId}`} onClose={() => setIsOpen(false)}>
          <p>
            Those on call do it, with the rights to read and delete what is stored. Send them the
            command; the console has no such rights.
          </p>
          {[
            ['1. Hand over everything that is stored', handOver, 'hand-over-the-data-of-a-user'],
            ['2. Erase everything that was received until this moment', erase, 'erase-a-user'],
          ].map(([what, command = '', section]) => (
            <section key={what}>
              <h3>{what}</h3>
              <p>
                <code>{command}</code>
              </p>
              <p class="actions">
                <CopyButton text={command}>Copy the command</CopyButton>
                <DocumentLink to={`runbook.md#${section}`}>What else they do</DocumentLink>
              </p>
            </section>
          ))}
        </Dialog>
      )}
    </p>
  );
}

/** Looks for refused codes when asked, as that searches the logs. */
function Missing({ clientId }: { readonly clientId: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget: { open } }) => setIsOpen(open)}>
      <summary>Why a code can be missing</summary>
      {isOpen && <Refused clientId={clientId} />}
    </details>
  );
}

/** Why codes of a client were refused in the last day, for somebody whose code is missing. */
function Refused({ clientId }: { readonly clientId: string }) {
  const path = `${clientPath(clientId)}/codes/refusals`;
  const { value, failure, reload } = useLoaded<CodeRefusals>(path);
  if (!value) return <Wait failure={failure} retry={reload} />;
  if ('unknown' in value) {
    return (
      <>
        <p>{`Why codes were refused is unknown: ${value.unknown}`}</p>
        {BY_REQUEST_ID}
      </>
    );
  }
  const columns = ['From', 'Requests', 'Why', 'What to tell the customer'];
  const table = (name: string, refusals: readonly Refusal[]) =>
    refusals.length === 0 ? (
      <p>None was logged.</p>
    ) : (
      <Table
        name={name}
        labels={['Requests']}
        columns={columns}
        rows={refusals.map(({ hour, requests, reason, advice }) => [
          <Time at={hour} />,
          numbered(requests),
          reason,
          advice,
        ])}
      />
    );
  const isNone = value.ofClient.length + value.ofAnyClient.length === 0;
  return (
    <>
      <h2>Refused codes of this client, last 24 hours</h2>
      {isNone ? (
        <p>
          None was logged: a code that is missing was not sent in these hours, or was blocked or
          throttled before the service saw it.
        </p>
      ) : (
        table('Refused codes of this client', value.ofClient)
      )}
      {value.ofAnyClient.length > 0 && (
        <>
          <h2>Refused before the client was known: of any client</h2>
          {table('Refused codes of any client', value.ofAnyClient)}
        </>
      )}
      {BY_REQUEST_ID}
    </>
  );
}

const BY_REQUEST_ID = (
  <p class="quiet">
    The developers of the app find out what became of one request by its id: the app shows it, or
    logs it (x-amzn-RequestId).
  </p>
);

/** The chart stays near the first results, without a box that scrolls in itself. */
const FIRST_ROWS = 20;

interface EventsProps {
  readonly clientId: string;
  readonly events: readonly PromoEvent[];
}

/**
 * Promo events, the newest first unless another heading is chosen. Each leads to all codes of its
 * user.
 */
function Events({ clientId, events }: EventsProps) {
  const [sort, setSort] = useState<Sort>({ column: 0, isDescending: true });
  const [most, setMost] = useState(FIRST_ROWS);
  const textsOf = (event: PromoEvent) => [
    event.receivedAt ?? '',
    event.promoCode ?? '',
    event.userId ?? '',
    fateOf(event),
    event.source ?? '',
  ];
  const sorted = events
    .map((event) => ({ event, key: textsOf(event)[sort.column] ?? '' }))
    .sort((one, other) => one.key.localeCompare(other.key) * (sort.isDescending ? -1 : 1));
  const rows = sorted.slice(0, most).map(({ event }) => {
    const [, code, user = '', ...others] = textsOf(event);
    const link = (
      <a href={searchHref(clientId, { user })} title={`All codes of ${user}`}>
        {user}
      </a>
    );
    return [<Time at={event.receivedAt} />, code, user && link, ...others];
  });
  return (
    <div>
      <Table
        name="Codes"
        columns={['Received', 'Code', 'User', 'What happened', 'Where']}
        rows={rows}
        sort={sort}
        onSort={setSort}
      />
      {events.length > most && (
        <Button onClick={() => setMost(events.length)}>{TEXTS.more(events.length - most)}</Button>
      )}
    </div>
  );
}

function fateOf({ kind }: PromoEvent): string {
  if (kind === 'applied') return 'applied';
  return kind === 'repeated' ? 'sent again, not applied twice' : 'unknown: changed manually';
}

/** Reads the conditions that are not empty. */
function conditionsOf(get: (name: string) => unknown): Conditions {
  const names = Object.keys(INPUTS) as (keyof typeof INPUTS)[];
  const entered = names.map((name) => [name, String(get(name) ?? '')] as const);
  return Object.fromEntries(entered.filter(([, text]) => text !== ''));
}

/** Writes the parameters of a search. The operator enters local dates, and the last one counts. */
function parametersOf({ since, until, ...others }: Conditions): string {
  const times = {
    ...(since && { since: startOf(since) }),
    ...(until && { until: startOf(until, 1) }),
  };
  return `${new URLSearchParams({ ...others, ...times })}`;
}

/** Names a file after the client and the search, and the day if the search has none. */
function fileNameOf(clientId: string, conditions: Conditions): string {
  const { since, until, ...others } = conditions;
  const days = since || until ? [since, until] : [firstOf(1)];
  const words = [clientId, ...Object.values(others), ...days].filter(Boolean);
  return `${words.join('-').replace(/[^\p{L}\p{N}._-]+/gu, '_')}.csv`;
}

/** The first of some days, the last of which is today. The Swedish form is ISO 8601. */
function firstOf(days: number): string {
  const first = new Date();
  first.setDate(first.getDate() + 1 - days);
  return first.toLocaleDateString('sv-SE');
}

/** Returns the local beginning of a date, or of one some days later; another text as it is. */
function startOf(date: string, later = 0): string {
  const start = new Date(`${date}T00:00:00`);
  start.setDate(start.getDate() + later);
  return Number.isNaN(start.getTime()) ? date : start.toISOString().replace('.000', '');
}
