import * as v from 'valibot';
import { expectKnownClient } from '../../admin/configuration/known-client.ts';
import {
  type ListedPromoEvent,
  listPromoEvents,
  type PromoEventFilter,
} from '../../admin/promo-events/list-promo-events.ts';
import { findSimilar } from '../../admin/promo-events/similar-promo-events.ts';
import type { Messages } from '../../admin/promo-events/sqs-queue.ts';
import type { Codes } from '../../console/src/types.ts';
import { UserId } from '../../core/identifiers.ts';
import { UsageError } from '../../core/user-error.ts';
import { ApplyPromoCodeRequest } from '../../functions/apply-promo-code/operation.ts';
import { AS_CSV } from '../commands/promo/format.ts';
import { linesIn } from '../commands/promo/list.ts';
import { readTime } from '../commands/promo/time.ts';
import { suggested } from '../suggestion.ts';
import type { Call } from './call.ts';
import { json } from './responses.ts';

/** The events of a response. A client can have millions; a CSV has them all. */
const MAX_EVENTS = 1000;

/** Finds promo events. It only counts messages: to receive them would hide them. */
export async function codes(call: Call): Promise<Response> {
  const { queue, deadLetters, promoEvents, tables } = call.caller;
  const filter = readFilter(call);
  // Before the table is read, so that a code that is stored meanwhile is counted or listed.
  const waiting = await lengthOf(queue);
  const dead = await lengthOf(deadLetters);
  const events: ListedPromoEvent[] = [];
  let isComplete = true;
  for await (const event of listPromoEvents(promoEvents, filter)) {
    isComplete = events.length < MAX_EVENTS;
    if (!isComplete) break;
    events.push(event);
  }
  if (events.length === 0) await expectKnownClient(tables, filter.clientId);
  const { userId } = filter;
  const { similar, others } =
    events.length === 0 && userId !== undefined
      ? await findSimilar(promoEvents, { ...filter, userId })
      : { similar: [], others: 0 };
  const command = commandOf(call);
  return json<Codes>({ events, isComplete, similar, others, waiting, deadLetters: dead, command });
}

/** Finds all promo events, in the order of time, for a spreadsheet. */
export async function codesAsCsv(call: Call): Promise<Response> {
  const lines = linesIn(AS_CSV);
  for await (const event of listPromoEvents(call.caller.promoEvents, readFilter(call))) {
    for (const _ of lines.add(event)) break;
  }
  return new Response(`${[...lines.end()].join('\n')}\n`, {
    headers: { 'Content-Type': 'text/csv; charset=utf-8' },
  });
}

/** Reads the parameters of a search. Throws UsageError. */
function readFilter({ clientId, query }: Call): PromoEventFilter {
  const read = <T>(name: string, parse: (text: string) => T | undefined): T | undefined => {
    const text = query.get(name);
    // An input that is empty is no condition.
    if (text === null || text === '') return undefined;
    const value = parse(text);
    if (value === undefined) throw new UsageError(`${name} is malformed.`);
    return value;
  };
  const parserOf = (schema: v.GenericSchema<unknown, string>) => (text: string) => {
    const { success, output } = v.safeParse(schema, text);
    return success ? output : undefined;
  };
  const time = (text: string) => readTime(text, new Date());
  return {
    clientId,
    userId: read('user', parserOf(UserId)),
    promoCode: read('code', parserOf(ApplyPromoCodeRequest.entries.promoCode)),
    since: read('since', time),
    until: read('until', time),
  };
}

function commandOf({ clientId, query }: Call): string {
  const options = ['user', 'code', 'since', 'until'].flatMap((name) => {
    const text = query.get(name);
    return text ? [`--${name}`, text] : [];
  });
  return suggested('promo', 'list', clientId, ...options);
}

async function lengthOf(messages: Messages): Promise<number> {
  const { waiting, inFlight } = await messages.count();
  return waiting + inFlight;
}
