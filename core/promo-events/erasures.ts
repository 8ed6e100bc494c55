import { scrypt } from 'node:crypto';
import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { comparableId } from '../identifiers.ts';
import { type PromoEvent, Time, userOf } from './promo-event.ts';

/** The table of markers: what was received about a user before `erasedAt` is erased. */
export interface ErasuresTable {
  readonly documentClient: DynamoDBDocumentClient;
  readonly tableName: string;
}

/** A stored or queued event. An item that was edited manually may lack attributes. */
interface Received {
  readonly clientId: string;
  /** The sort key of a stored event, which names its user, too. */
  readonly eventId?: string;
  readonly userId?: unknown;
  readonly receivedAt?: unknown;
}

/**
 * Tells whether an event was received before its user was erased. Throws `UnreadableMarker`, and
 * the AWS SDK's errors.
 */
export type IsErased = (event: Received) => Promise<boolean>;

/** The marker of a user was edited manually: it cannot tell which events are erased. */
export class UnreadableMarker extends Error {
  override readonly name = 'UnreadableMarker';

  constructor(clientId: string, user: string) {
    super(
      `The item ${user} of client ${clientId} in the Erasures table is unreadable. Correct its erasedAt and expiresAt.`,
    );
  }
}

/**
 * Days for which a marker is kept. Point-in-time recovery reaches back 35 days. A table that was
 * restored brings an erased user back until it is copied, for which `docs/deploy.md` gives ten
 * days. An older message is not stored:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/PointInTimeRecovery_Howitworks.html
 */
export const MARKER_DAYS = 45;

/** Days after which an event is not stored any more. Its marker could be gone a day later. */
export const STORED_DAYS = MARKER_DAYS - 1;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes a guess of a user id cost about ten milliseconds. */
const COST = { N: 2 ** 12 };
const HASH_BYTES = 16;

const Marker = v.object({ erasedAt: Time, expiresAt: v.number() });

/** The times before which users of a client are erased, by `userHash`; undefined if unreadable. */
type Markers = ReadonlyMap<string, string | undefined>;

/**
 * True for an event that is too old to be looked up in the markers.
 *
 * @param now the time of AWS.
 */
export function isTooOld({ receivedAt }: PromoEvent, now: Date): boolean {
  return now.getTime() - Date.parse(receivedAt) > STORED_DAYS * DAY_MS;
}

/** Returns a salted hash of a user id, from which the id can only be guessed. */
export function userHash(clientId: string, userId: string): Promise<string> {
  const salt = `erasures of ${clientId}`;
  return new Promise((resolve, reject) => {
    scrypt(comparableId(userId), salt, HASH_BYTES, COST, (error, hash) =>
      error ? reject(error) : resolve(hash.toString('base64url')),
    );
  });
}

/**
 * Reads the markers of a client that have not expired. DynamoDB deletes expired ones days later.
 *
 * @param now the time of AWS.
 */
export async function readMarkers(
  { documentClient, tableName: TableName }: ErasuresTable,
  clientId: string,
  now: Date,
  abortSignal?: AbortSignal,
): Promise<Markers> {
  const markers = new Map<string, string | undefined>();
  const query = {
    TableName,
    ConsistentRead: true,
    KeyConditionExpression: 'clientId = :clientId',
    ExpressionAttributeValues: { ':clientId': clientId },
  };
  const pages = paginateQuery({ client: documentClient }, query, { abortSignal });
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      const { success, output } = v.safeParse(Marker, item);
      if (!success) markers.set(item.user, undefined);
      else if (output.expiresAt * 1000 > now.getTime()) markers.set(item.user, output.erasedAt);
    }
  }
  return markers;
}

/**
 * Creates the function that looks events up in the markers. It reads those of a client once, with
 * its first event, and hashes a user only if a marker of the client is younger than the event.
 *
 * @param now the time of AWS.
 */
export function erasureLookup(
  table: ErasuresTable,
  now: Date,
  abortSignal?: AbortSignal,
): IsErased {
  const ofClients = new Map<string, Promise<Markers>>();
  // The items of a user follow one another.
  let last: { readonly user: string; readonly hash: Promise<string> } | undefined;

  function hashOf(clientId: string, userId: string): Promise<string> {
    const user = JSON.stringify([clientId, userId]);
    if (last?.user !== user) last = { user, hash: userHash(clientId, userId) };
    return last.hash;
  }

  return async ({ clientId, eventId, userId, receivedAt }) => {
    const reading = ofClients.get(clientId) ?? readMarkers(table, clientId, now, abortSignal);
    ofClients.set(clientId, reading);
    const markers = await reading;
    const isBefore = (erasedAt: string) =>
      !(typeof receivedAt === 'string' && receivedAt >= erasedAt);
    const mayBeErased = [...markers.values()].some((time) => time === undefined || isBefore(time));
    if (!mayBeErased) return false;
    for (const id of new Set([userId, eventId && userOf(eventId)])) {
      if (typeof id !== 'string') continue;
      const user = await hashOf(clientId, id);
      if (!markers.has(user)) continue;
      const erasedAt = markers.get(user);
      if (erasedAt === undefined) throw new UnreadableMarker(clientId, user);
      if (isBefore(erasedAt)) return true;
    }
    return false;
  };
}
