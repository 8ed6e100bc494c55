import { StoredId } from 'customer-data-api/configuration';
import { StoredPromoCode } from 'customer-data-api/operations';
import { suggested } from 'customer-data-api-deployment/program';
import {
  csvOf,
  expectKnownClient,
  findSimilar,
  type ListedPromoEvent,
  listPromoEvents,
  type PromoEventFilter,
  readTime,
} from 'customer-data-api-operator';
import * as v from 'valibot';
import type { Codes } from '../page/src/types.ts';
import { type Call, clientIdOf, readQuery } from './call.ts';

/** The events of a response. A client can have millions; a CSV has them all. */
const MAX_EVENTS = 1000;

const Time = v.pipe(
  v.string(),
  v.transform((text) => readTime(text, new Date())),
  v.string(),
);

/** The conditions of a search, with the names of the options of `promo list`. */
const Search = v.object({
  user: v.exactOptional(StoredId),
  code: v.exactOptional(StoredPromoCode),
  since: v.exactOptional(Time),
  until: v.exactOptional(Time),
});

/** Finds promo events. It only counts messages: to receive them would hide them. */
export async function codes(call: Call): Promise<Response> {
  const { queue, deadLetters, promoEvents, tables } = call.env;
  const filter = filterOf(call);
  // Before the table is read, so that a code stored in the meantime is counted or listed.
  const waiting = await queue.length();
  const dead = await deadLetters.length();
  const events: ListedPromoEvent[] = [];
  let isComplete = true;
  for await (const event of listPromoEvents(promoEvents, filter)) {
    isComplete = events.length < MAX_EVENTS;
    if (!isComplete) break;
    events.push(event);
  }
  if (events.length === 0) await expectKnownClient(tables, filter.clientId);
  const { similar, others } =
    events.length === 0 ? await findSimilar(promoEvents, filter) : { similar: [], others: 0 };
  return Response.json({
    events,
    isComplete,
    similar,
    others,
    waiting,
    deadLetters: dead,
    command: commandOf(call),
  } satisfies Codes);
}

/** Finds all promo events, in the order of time, for a spreadsheet. */
export async function codesAsCsv(call: Call): Promise<Response> {
  const events: ListedPromoEvent[] = [];
  for await (const event of listPromoEvents(call.env.promoEvents, filterOf(call))) {
    events.push(event);
  }
  return new Response(`${csvOf(events).join('\n')}\n`, {
    headers: { 'Content-Type': 'text/csv; charset=utf-8' },
  });
}

function filterOf(call: Call): PromoEventFilter {
  const { user: userId, code: promoCode, ...times } = readQuery(call, Search);
  return { clientId: clientIdOf(call), userId, promoCode, ...times };
}

function commandOf(call: Call): string {
  const options = Object.keys(Search.entries).flatMap((name) => {
    const text = call.req.query(name);
    return text === undefined ? [] : [`--${name}`, text];
  });
  return suggested('promo', 'list', clientIdOf(call), ...options);
}
