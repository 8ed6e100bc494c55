import { useState } from 'preact/hooks';
import type { PromoEvent } from '../answers.ts';
import { Button } from '../parts/button.tsx';
import { type Sort, Table } from '../parts/table.tsx';
import { Time } from '../parts/time-text.tsx';
import { TEXTS } from '../texts.ts';
import { searchHref } from './search.ts';

/** The rows at first: others are shown when asked for, so that all that follows stays near. */
const FIRST_ROWS = 20;

interface EventsProps {
  readonly clientId: string;
  readonly events: readonly PromoEvent[];
}

interface SearchLinkProps {
  readonly clientId: string;
  readonly user?: string;
  readonly code?: string;
  readonly title: string;
}

/** Leads to all that is found by a user or a code. */
export function SearchLink({ clientId, title, ...conditions }: SearchLinkProps) {
  return (
    <a href={searchHref(clientId, conditions)} {...{ title }}>
      <bdi>{Object.values(conditions)}</bdi>
    </a>
  );
}

/**
 * Promo events, the newest first unless another heading is chosen. Each leads to all codes of its
 * user, and to all users of its code.
 */
export function Events({ clientId, events }: EventsProps) {
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
    const [, code = '', user = '', fate, where] = textsOf(event);
    return [
      <Time at={event.receivedAt} />,
      code && <SearchLink title={`All users of ${code}`} {...{ clientId, code }} />,
      user && <SearchLink title={`All codes of ${user}`} {...{ clientId, user }} />,
      <span class={event.kind === 'applied' ? '' : 'badge'}>{fate}</span>,
      where,
    ];
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

function fateOf({ kind, importedAt }: PromoEvent): string {
  if (kind === 'applied')
    return importedAt === undefined ? 'applied' : 'applied elsewhere, imported';
  return kind === 'repeated' ? 'sent again, not applied twice' : 'unknown: changed manually';
}
