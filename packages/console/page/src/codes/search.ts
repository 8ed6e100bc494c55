import { clientHref } from '../route.ts';

/** The conditions of a search, and their labels. */
export const INPUTS = {
  user: 'User id',
  code: 'Promo code',
  device: 'Device id',
  since: 'From',
  until: 'To, inclusive',
};

/** Conditions of a search, as the operator entered them. Without any, it finds all. */
export type Conditions = Readonly<Partial<Record<keyof typeof INPUTS, string>>>;

/** Returns the address of a search. */
export function searchHref(clientId: string, conditions: Conditions): string {
  const query = Object.values(conditions).some(Boolean) ? conditions : { all: 'true' };
  return clientHref(clientId, 'codes', query);
}

/** Reads the conditions that are not empty. */
export function conditionsOf(get: (name: string) => unknown): Conditions {
  const names = Object.keys(INPUTS) as (keyof typeof INPUTS)[];
  const entered = names.map((name) => [name, String(get(name) ?? '')] as const);
  return Object.fromEntries(entered.filter(([, text]) => text !== ''));
}

/** Writes the parameters of a search. The operator enters local dates, and the last one counts. */
export function parametersOf({ since, until, ...others }: Conditions): string {
  const times = {
    ...(since && { since: startOf(since) }),
    ...(until && { until: startOf(until, 1) }),
  };
  return `${new URLSearchParams({ ...others, ...times })}`;
}

/** Names a file after the client and the search, and the day if the search has none. */
export function fileNameOf(clientId: string, conditions: Conditions): string {
  const { since, until, ...others } = conditions;
  const days = since || until ? [since, until] : [firstOf(1)];
  const words = [clientId, ...Object.values(others), ...days].filter(Boolean);
  return `${words.join('-').replace(/[^\p{L}\p{N}._-]+/gu, '_')}.csv`;
}

/** The first of some days, the last of which is today. The Swedish form is ISO 8601. */
export function firstOf(days: number): string {
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
