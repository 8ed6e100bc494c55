import { useState } from 'preact/hooks';
import type { Codes, FailureBody, PromoEvent } from '../answers.ts';
import { clientPath, read, save } from '../api.ts';
import { joined } from '../codes.ts';
import { useLoaded } from '../loaded.ts';
import {
  Button,
  Command,
  FailureText,
  Sentences,
  type Sort,
  Table,
  Time,
  timeZone,
  Wait,
} from '../parts/basics.tsx';
import { CodesChart } from '../parts/codes-chart.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { TEXTS } from '../texts.ts';

const INPUTS = {
  user: 'text',
  code: 'text',
  device: 'text',
  since: 'date',
  until: 'date',
} as const;

/** A search: its conditions, and what earlier parts of it found. */
interface Search {
  readonly query: string;
  readonly earlier?: Codes;
}

function labelOf(name: keyof typeof INPUTS): string {
  const label = TEXTS.codes[name];
  return typeof label === 'string' ? label : label(timeZone());
}

/** Finds the promo codes of a client by user, code, device and local date. */
export function CodesScreen({ clientId }: { readonly clientId: string }) {
  const [search, setSearch] = useState<Search>();
  const [csvFailure, setCsvFailure] = useState<FailureBody>();
  const after = search?.earlier?.rest?.after;
  const path = `${clientPath(clientId)}/codes?${search?.query}`;
  const { value, failure, isLoading, reload } = useLoaded<Codes>(
    search && (after === undefined ? path : `${path}&after=${encodeURIComponent(after)}`),
  );
  const codes = value ? joined(search?.earlier, value) : search?.earlier;

  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const query = queryOf(new FormData(event.currentTarget));
    setCsvFailure(undefined);
    if (event.submitter?.id !== 'csv') {
      setSearch({ query });
      return reload();
    }
    const csv = await read<string>(`${clientPath(clientId)}/codes.csv?${query}`);
    setCsvFailure(csv.failure);
    if (csv.value !== undefined) save(csv.value, `${clientId}.csv`);
  };

  return (
    <>
      <form onSubmit={submit}>
        <div class="grid">
          {Object.entries(INPUTS).map(([name, type]) => (
            <Labeled key={name} label={labelOf(name as keyof typeof INPUTS)}>
              <input name={name} type={type as 'text'} autocomplete="off" />
            </Labeled>
          ))}
        </div>
        <p class="actions">
          <button type="submit">{TEXTS.codes.search}</button>
          <Button type="submit" id="csv">
            {TEXTS.codes.csv}
          </Button>
        </p>
      </form>
      {csvFailure && <FailureText failure={csvFailure} />}
      {codes && search && (
        <Found
          codes={codes}
          ofUser={new URLSearchParams(search.query).has('user')}
          onReadOn={isLoading ? undefined : () => setSearch({ ...search, earlier: codes })}
        />
      )}
      {(failure || (isLoading && !codes)) && <Wait failure={failure} retry={reload} />}
      <p class="quiet">
        {codes ? TEXTS.codes.missing(codes.waiting + codes.deadLetters > 0) : TEXTS.codes.hint}
      </p>
      <Command>{codes?.command}</Command>
    </>
  );
}

interface FoundProps {
  readonly codes: Codes;
  readonly ofUser: boolean;
  /** Reads the rest; undefined while it is read. */
  readonly onReadOn: (() => void) | undefined;
}

function Found({ codes, ofUser, onReadOn }: FoundProps) {
  const { events, found, similar, others, read: count, rest, waiting, deadLetters } = codes;
  const { searched } = codes;
  const texts = TEXTS.codes;
  const isNone = found === 0;
  const isUnknown = isNone && similar.length === 0 && others === 0;
  return (
    <>
      <div role="status" ref={bringIntoView}>
        {isNone && <p>{similar.length > 0 ? texts.noneExactly : texts.none}</p>}
        {searched && isUnknown && <p>{texts.searched(searched)}</p>}
        {others > 0 && <p>{texts.others(others)}</p>}
        {found > events.length && <p>{texts.newest(events.length, found)}</p>}
        {found > 0 && <p>{texts.matches(found)}</p>}
        {!ofUser && <p>{rest ? texts.readSome(count, rest.user) : texts.readAll(count)}</p>}
        {waiting > 0 && <p>{texts.waiting(waiting)}</p>}
        {deadLetters > 0 && <p class="failure">{texts.deadLetters(deadLetters)}</p>}
      </div>
      {rest && (
        <p>
          <Button aria-disabled={!onReadOn} onClick={() => onReadOn?.()}>
            {onReadOn ? texts.readOn : texts.reading}
          </Button>
        </p>
      )}
      <div class="beside">
        <Events events={events} />
        <CodesChart codes={codes} />
      </div>
      {similar.length > 0 && (
        <>
          <h2>{texts.similar}</h2>
          <Events events={similar} />
        </>
      )}
      {codes.refusals !== undefined && <Refused refusals={codes.refusals} />}
    </>
  );
}

function bringIntoView(answer: HTMLElement | null): void {
  answer?.scrollIntoView({ block: 'nearest' });
}

/** What else can be known of a code that is not stored. */
function Refused({ refusals }: { readonly refusals: NonNullable<Codes['refusals']> }) {
  const { refused, refusal, refusedTitle, refusedUnknown } = TEXTS.codes;
  if (typeof refusals === 'string') return <p>{refusedUnknown(refusals)}</p>;
  return (
    <>
      <h2>{refusedTitle}</h2>
      <p>{refused(refusals)}</p>
      <Sentences>{Object.entries(refusals).map(([code, count]) => refusal(code, count))}</Sentences>
    </>
  );
}

/** The chart stays near the first results, without a box that scrolls in itself. */
const FIRST_ROWS = 20;

/** Promo events, the newest first unless another heading is chosen. */
function Events({ events }: { readonly events: readonly PromoEvent[] }) {
  const [sort, setSort] = useState<Sort>({ column: 0, isDescending: true });
  const [most, setMost] = useState(FIRST_ROWS);
  const textsOf = (event: PromoEvent) => [
    event.receivedAt ?? '',
    sentenceOf(event),
    event.source ?? '',
  ];
  const sorted = events
    .map((event) => ({ event, key: textsOf(event)[sort.column] ?? '' }))
    .sort((one, other) => one.key.localeCompare(other.key) * (sort.isDescending ? -1 : 1));
  const rows = sorted
    .slice(0, most)
    .map(({ event }) => [<Time at={event.receivedAt} />, ...textsOf(event).slice(1)]);
  return (
    <div>
      <Table columns={TEXTS.codes.columns} rows={rows} sort={sort} onSort={setSort} />
      {events.length > most && (
        <Button onClick={() => setMost(events.length)}>
          {TEXTS.history.more(events.length - most)}
        </Button>
      )}
    </div>
  );
}

function sentenceOf({ kind, promoCode = '?', userId = '?' }: PromoEvent): string {
  const known = kind === 'applied' || kind === 'repeated' ? kind : 'unknown';
  return TEXTS.codes[known](promoCode, userId);
}

/** Writes the parameters of a search. The operator enters local dates, and the last one counts. */
function queryOf(form: FormData): string {
  const conditions = Object.keys(INPUTS).flatMap((name) => {
    const text = String(form.get(name) ?? '');
    if (text === '') return [];
    return [[name, INPUTS[name as 'since'] === 'date' ? startOf(text, name === 'until') : text]];
  });
  return `${new URLSearchParams(conditions)}`;
}

/** Returns the local beginning of a date, or of the next one. */
function startOf(date: string, isNext: boolean): string {
  const start = new Date(`${date}T00:00:00`);
  start.setDate(start.getDate() + Number(isNext));
  return start.toISOString().replace('.000', '');
}
