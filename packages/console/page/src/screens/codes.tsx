import { useState } from 'preact/hooks';
import { clientPath, read, save } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Button, Command, FailureText, type Sort, Table, Time, Wait } from '../parts/basics.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { TEXTS } from '../texts.ts';
import type { Codes, FailureBody, PromoEvent } from '../types.ts';

const INPUTS = { user: 'text', code: 'text', since: 'date', until: 'date' } as const;

/** Finds the promo codes of a client by user, code and local date. */
export function CodesScreen({ clientId }: { readonly clientId: string }) {
  const [path, setPath] = useState<string>();
  const [csvFailure, setCsvFailure] = useState<FailureBody>();
  const { value, failure, isLoading, reload } = useLoaded<Codes>(path);

  const submit = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const query = queryOf(new FormData(event.currentTarget));
    setCsvFailure(undefined);
    if (event.submitter?.id !== 'csv') {
      setPath(`${clientPath(clientId)}/codes?${query}`);
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
            <Labeled key={name} label={TEXTS.codes[name as keyof typeof INPUTS]}>
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
      {value && <Found codes={value} />}
      {(failure || (isLoading && !value)) && <Wait failure={failure} retry={reload} />}
      <p class="quiet">
        {value ? TEXTS.codes.missing(value.waiting + value.deadLetters > 0) : TEXTS.codes.hint}
      </p>
      <Command>{value?.command}</Command>
    </>
  );
}

function Found({ codes }: { readonly codes: Codes }) {
  const { events, similar, others, isComplete, waiting, deadLetters } = codes;
  return (
    <>
      <div role="status">
        {events.length === 0 && (
          <p>{similar.length > 0 ? TEXTS.codes.noneExactly : TEXTS.codes.none}</p>
        )}
        {others > 0 && <p>{TEXTS.codes.others(others)}</p>}
        {!isComplete && <p>{TEXTS.codes.notAll}</p>}
        {waiting > 0 && <p>{TEXTS.codes.waiting(waiting)}</p>}
        {deadLetters > 0 && <p class="failure">{TEXTS.codes.deadLetters(deadLetters)}</p>}
      </div>
      <Events events={events} />
      {similar.length > 0 && (
        <>
          <h2>{TEXTS.codes.similar}</h2>
          <Events events={similar} />
        </>
      )}
    </>
  );
}

/** Promo events, the newest first unless another heading is chosen. */
function Events({ events }: { readonly events: readonly PromoEvent[] }) {
  const [sort, setSort] = useState<Sort>({ column: 0, isDescending: true });
  const textsOf = (event: PromoEvent) => [
    event.receivedAt ?? '',
    sentenceOf(event),
    event.source ?? '',
  ];
  const sorted = events
    .map((event) => ({ event, key: textsOf(event)[sort.column] ?? '' }))
    .sort((one, other) => one.key.localeCompare(other.key) * (sort.isDescending ? -1 : 1));
  const rows = sorted.map(({ event }) => [
    <Time at={event.receivedAt} />,
    ...textsOf(event).slice(1),
  ]);
  return <Table columns={TEXTS.codes.columns} rows={rows} sort={sort} onSort={setSort} />;
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
