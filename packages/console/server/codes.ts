import { StoredId } from 'customer-data-api/configuration';
import { StoredPromoCode } from 'customer-data-api/operations';
import { suggested } from 'customer-data-api-deployment/program';
import { expectKnownClient } from 'customer-data-api-editor/clients';
import {
  expectRange,
  expectSearchable,
  findRefusals,
  type ListedPromoEvent,
  listPromoEvents,
  type PromoEventFilter,
  promoEventsToCsv,
  readTime,
  searchPromoEvents,
} from 'customer-data-api-on-call';
import * as v from 'valibot';
import { type Call, clientIdOf, readQuery } from './call.ts';

const timeOf = (edge: 'start' | 'end') =>
  v.pipe(
    v.string(),
    v.transform((text) => readTime(text, new Date())?.[edge]),
    v.string(),
  );

/** The conditions of a search, with the names of the options of `promo list`. */
const Search = v.object({
  user: v.exactOptional(StoredId),
  code: v.exactOptional(StoredPromoCode),
  device: v.exactOptional(StoredId),
  since: v.exactOptional(timeOf('start')),
  until: v.exactOptional(timeOf('end')),
});
/** The sort key after which a search goes on: DynamoDB's have at most 1,024 bytes. */
const Continued = v.object({
  after: v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.maxBytes(1024))),
});

/** Finds promo events. It only counts messages: to receive them would hide them. */
export async function codes(call: Call) {
  const { queue, deadLetters, promoEvents, tables } = call.env;
  const filter = filterOf(call);
  const { userId } = filter;
  const { after } = readQuery(call, Continued);
  // Before the table is read, so that a code stored in the meantime is counted or listed.
  const waiting = await queue.length();
  const dead = await deadLetters.length();
  const search = await searchPromoEvents(promoEvents, filter, after);
  if (search.found === 0 && after === undefined) await expectKnownClient(tables, filter.clientId);
  return {
    ...search,
    waiting,
    deadLetters: dead,
    ...(userId !== undefined && { ofUser: dataOf(filter.clientId, userId) }),
  };
}

/** Shows why codes of a client were refused, which is in the logs. */
export async function codeRefusals(call: Call) {
  const { deployment, tables } = call.env;
  const clientId = clientIdOf(call);
  await expectKnownClient(tables, clientId);
  const refusals = await findRefusals(deployment, clientId);
  return 'unknown' in refusals ? { unknown: refusals.unknown } : refusals;
}

/** Finds all promo events, in the order of time, for a spreadsheet. */
export async function codesAsCsv(call: Call): Promise<Response> {
  const events: ListedPromoEvent[] = [];
  for await (const event of listPromoEvents(call.env.promoEvents, filterOf(call))) {
    events.push(event);
  }
  // Excel takes it for UTF-8 only with a byte order mark.
  return new Response(`\ufeff${promoEventsToCsv(events).join('\n')}\n`, {
    headers: { 'Content-Type': 'text/csv; charset=utf-8' },
  });
}

function filterOf(call: Call): PromoEventFilter {
  const { user: userId, code: promoCode, device: deviceId, ...times } = readQuery(call, Search);
  expectRange(times);
  const filter = { clientId: clientIdOf(call), userId, promoCode, deviceId, ...times };
  expectSearchable(call.env.deployment.outputs, filter);
  return filter;
}

/** The commands of those on call to hand over or erase the data of a user. */
function dataOf(clientId: string, userId: string) {
  const user = [clientId, '--user', userId];
  return {
    userId,
    handOver: suggested('promo', 'list', ...user, '--search-dead-letters', '--json'),
    erase: suggested('user', 'erase', ...user),
  };
}
