import { useState } from 'preact/hooks';
import { attempt, clientPath, Failure, readText } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Button, Command, FailureText, Table, TextInput, Time, Wait } from '../parts/basics.tsx';
import { Labeled } from '../parts/labeled.tsx';
import { TEXTS } from '../texts.ts';
import type { Codes, PromoEvent } from '../types.ts';

const CONDITIONS = ['user', 'code', 'since', 'until'] as const;
type Conditions = Readonly<Record<(typeof CONDITIONS)[number], string>>;

/** Finds the promo codes of a client by user, code and local date. */
export function CodesScreen({ clientId }: { readonly clientId: string }) {
  const [input, setInput] = useState<Conditions>({ user: '', code: '', since: '', until: '' });
  const [query, setQuery] = useState<string>();
  const [csvFailure, setCsvFailure] = useState<Failure>();
  const path = `${clientPath(clientId)}/codes`;
  const { value, failure, reload } = useLoaded<Codes>(query && `${path}?${query}`);

  const submit = (event: Event) => {
    event.preventDefault();
    if (query === queryOf(input)) reload();
    setQuery(queryOf(input));
  };
  const download = async () => {
    const csv = await attempt(() => readText(`${path}.csv?${queryOf(input)}`));
    setCsvFailure(csv instanceof Failure ? csv : undefined);
    if (!(csv instanceof Failure)) save(csv, `${clientId}.csv`);
  };

  return (
    <>
      <form class="search-form" onSubmit={submit}>
        {CONDITIONS.map((name) => (
          <Labeled key={name} label={TEXTS.codes[name]}>
            <TextInput
              type={name === 'since' || name === 'until' ? 'date' : 'text'}
              value={input[name]}
              onInput={(text) => setInput({ ...input, [name]: text })}
            />
          </Labeled>
        ))}
        <button type="submit" class="primary">
          {TEXTS.codes.search}
        </button>
        <Button onClick={download}>{TEXTS.codes.csv}</Button>
      </form>
      {csvFailure && <FailureText failure={csvFailure} />}
      {query !== undefined &&
        (value ? <Found codes={value} /> : <Wait failure={failure} retry={reload} />)}
      <p class="quiet">{TEXTS.codes.unknowable}</p>
      <Command>{value?.command}</Command>
    </>
  );
}

function Found({ codes }: { readonly codes: Codes }) {
  const { events, similar, others, isComplete, waiting, deadLetters } = codes;
  return (
    <>
      <div role="status">
        {events.length === 0 && <p>{TEXTS.codes.none}</p>}
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

function Events({ events }: { readonly events: readonly PromoEvent[] }) {
  const rows = events.map((event, index) => ({
    key: `${index}`,
    cells: [<Time at={event.receivedAt} />, sentenceOf(event), event.source],
  }));
  return <Table columns={TEXTS.codes.columns} rows={rows} />;
}

function sentenceOf({ kind, promoCode = '?', userId = '?' }: PromoEvent): string {
  return TEXTS.codes[kind === 'applied' || kind === 'repeated' ? kind : 'unknown'](
    promoCode,
    userId,
  );
}

/** Writes the parameters of a search. The operator enters local dates, and the last one counts. */
function queryOf({ user, code, since, until }: Conditions): string {
  const parameters = new URLSearchParams({ user, code });
  if (since !== '') parameters.set('since', startOf(since, 0));
  if (until !== '') parameters.set('until', startOf(until, 1));
  return `${parameters}`;
}

/** Returns the local beginning of a date, or of a later one. */
function startOf(date: string, daysLater: number): string {
  const start = new Date(`${date}T00:00:00`);
  start.setDate(start.getDate() + daysLater);
  return start.toISOString().replace('.000', '');
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
