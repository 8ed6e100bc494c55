import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { lazily, StoredId } from 'customer-data-api/configuration';
import { userPrefix } from 'customer-data-api/promo-events';
import * as v from 'valibot';
import { alikeForm } from './same-user-or-code.ts';

/** The PromoEvents table. */
export interface PromoEventsTable {
  readonly documentClient: DynamoDBDocumentClient;
  readonly tableName: string;
}

/** A user of one client: the same `userId` of another client is another user. */
export interface User {
  readonly clientId: string;
  readonly userId: string;
}

/** A letter, and what it is in an `alikeForm`. */
type Letter = readonly [letter: string, parts: readonly string[]];

/** The letters that have parts. Unicode has them in its first three planes. */
const composedLetters = lazily(() =>
  Array.from({ length: 0x3_0000 }, (_, point) => String.fromCodePoint(point))
    .map((letter): Letter => [letter, [...letter.normalize('NFD')]])
    .filter(([letter, parts]) => letter !== parts.join('')),
);
/** The letters of UUIDs that can be in upper case. */
const UPPER_CASE: readonly Letter[] = [...'ABCDEF'].map((letter) => [
  letter,
  [letter.toLowerCase()],
]);

/**
 * Finds the spellings of a user's id under which the table can have something: those that look
 * alike. They are too many to try each. So it asks the table letter by letter, with tens of queries
 * for a UUID, and without one for an id that has one spelling only.
 */
export async function storedSpellings(
  { documentClient, tableName: TableName }: PromoEventsTable,
  { clientId, userId }: User,
): Promise<string[]> {
  const whole = alikeForm(userId);
  const own = [...new Set(whole)];
  const letters = [
    ...own.map((letter): Letter => [letter, [letter]]),
    ...[...UPPER_CASE, ...composedLetters()].filter(([, parts]) =>
      parts.every((part) => own.includes(part)),
    ),
  ];

  async function isStored(prefix: string): Promise<boolean> {
    const query = new QueryCommand({
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :prefix)',
      ExpressionAttributeValues: { ':clientId': clientId, ':prefix': prefix },
      // Policies require that a query names what it reads.
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: 'eventId',
      Limit: 1,
    });
    return ((await documentClient.send(query)).Items ?? []).length > 0;
  }

  /** Returns the spellings that begin with a text, of which the given parts are left. */
  async function spellingsFrom(
    start: string,
    left: readonly string[],
    isCertain: boolean,
  ): Promise<string[]> {
    if (left.length === 0) return isCertain || (await isStored(userPrefix(start))) ? [start] : [];
    const next = letters.flatMap(([letter, parts]) => {
      const rest = without(left, parts);
      const text = start + letter;
      const isAlike = alikeForm(text + rest.join('')) === whole && v.is(StoredId, text);
      return isAlike ? [{ text, rest }] : [];
    });
    const isOnly = next.length === 1;
    const found = next.map(async ({ text, rest }) =>
      isOnly || (await isStored(encodeURIComponent(text)))
        ? await spellingsFrom(text, rest, isCertain && isOnly)
        : [],
    );
    return (await Promise.all(found)).flat();
  }
  return await spellingsFrom('', [...whole], true);
}

/** Returns a list without the first of each of some values. */
function without(list: readonly string[], values: readonly string[]): string[] {
  const rest = [...list];
  for (const value of values) {
    const at = rest.indexOf(value);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}
