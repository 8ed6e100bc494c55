import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type LastChange,
  type NewStamp,
  newLastChange,
  type RawItem,
  readClient,
  type StoredClient,
} from 'customer-data-api/clients';
import { canonicalJson } from 'customer-data-api/history';
import type { ConfigsTable } from 'customer-data-api-deployment';
import { OperatorError } from '../errors.ts';
import { findClient } from './configs-table.ts';

/** The author and the reason of a change, for the history. */
export type Authorship = Pick<NewStamp, 'by' | 'message'>;

/**
 * Attributes of a client's item, in DynamoDB's JSON, whose numbers have more digits than
 * JavaScript's. An undefined one is missing.
 */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/**
 * A change of a client: returns the attributes that it is about, as they are after it. Throws if
 * it cannot be made of this client.
 */
export type NextAttributes = (client: StoredClient) => Attributes;

/** True if a client has attributes as DynamoDB compares them. */
export function hasAttributes({ raw }: StoredClient, attributes: Attributes): boolean {
  return Object.entries(attributes).every(
    ([name, value]) => canonicalJson(raw[name]) === canonicalJson(value),
  );
}

/** The attempts to write while others change the same client. */
const MAX_ATTEMPTS = 3;

/**
 * Changes the item of a client and its `lastChange` in one call, on the condition that the
 * attributes which the change is about, and `lastChange`, are as they were read. If others change
 * them in between, it reads the item and computes the change again.
 *
 * @param stamp its author and reason. It creates the client if it has `creates`.
 * @throws OperatorError noSuchClient, clientExists, what `next` throws, and conflict if others keep
 *   changing the client: nothing is written.
 * @throws the AWS SDK's errors. A ConditionalCheckFailedException is that of a repeated call, of
 *   which the first one may have been made and then replaced. If a read fails after a refused
 *   write, `cause` is the refusal.
 */
export async function changeClient(
  table: ConfigsTable,
  clientId: string,
  stamp: NewStamp,
  next: NextAttributes,
): Promise<LastChange> {
  const isNew = stamp.creates !== undefined;
  let client = await findClient(table, clientId);
  for (let attempt = 1; ; attempt++) {
    if (isNew && client) throw new OperatorError('clientExists', { clientId });
    if (!isNew && !client) throw new OperatorError('noSuchClient', { clientId });
    const before = client?.raw ?? {};
    const attributes = next(client ?? readClient({}));
    const lastChange = newLastChange(stamp, client?.lastChange);
    try {
      await table.dynamodb.send(
        new UpdateItemCommand({
          TableName: table.configsTableName,
          Key: marshall({ clientId }),
          ...expressionsOf(before, { ...attributes, lastChange: { M: marshall(lastChange) } }),
        }),
      );
      return lastChange;
    } catch (refusal) {
      if (!(refusal instanceof ConditionalCheckFailedException)) throw refusal;
      client = await findClient(table, clientId).catch((failure) => {
        throw Object.assign(failure, { cause: refusal });
      });
      // After a lost response the AWS SDK repeats the call, which the change itself then refuses.
      if (client?.lastChange?.id === lastChange.id) return lastChange;
      if (refusal.$metadata.attempts !== 1) throw refusal;
      if (attempt === MAX_ATTEMPTS) throw new OperatorError('conflict', { clientId, part: 'item' });
    }
  }
}

/**
 * Removes the item of a client. A deletion has no attributes that name its author, so the item
 * names it just before.
 *
 * @throws what `changeClient` throws.
 */
export async function removeClient(
  table: ConfigsTable,
  clientId: string,
  authorship: Authorship,
): Promise<void> {
  const stamp = { ...authorship, removes: true } as const;
  const { id } = await changeClient(table, clientId, stamp, () => ({}));
  try {
    await table.dynamodb.send(
      new DeleteItemCommand({
        TableName: table.configsTableName,
        Key: marshall({ clientId }),
        ConditionExpression: 'lastChange.id = :id',
        ExpressionAttributeValues: marshall({ ':id': id }),
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The response to the deletion was lost, and the AWS SDK repeated it.
    if (!(await findClient(table, clientId))) return;
    throw new OperatorError('conflict', { clientId, part: 'item' });
  }
}

/** Writes the expressions of `UpdateItem`. Names are numbered: any may be a reserved word. */
function expressionsOf(before: RawItem, after: Attributes) {
  const names: string[] = [];
  const values: AttributeValue[] = [];
  const name = (attribute: string) => {
    if (!names.includes(attribute)) names.push(attribute);
    return `#${names.indexOf(attribute)}`;
  };
  const equals = (attribute: string, value: AttributeValue) =>
    `${name(attribute)} = :${values.push(value) - 1}`;
  const isNew = Object.keys(before).length === 0;
  const conditions = [`attribute_${isNew ? 'not_' : ''}exists(${name('clientId')})`];
  const assignments: string[] = [];
  const removals: string[] = [];
  for (const [attribute, value] of Object.entries(after)) {
    const was = before[attribute];
    conditions.push(was ? equals(attribute, was) : `attribute_not_exists(${name(attribute)})`);
    if (isDeepStrictEqual(was, value)) continue;
    if (value) assignments.push(equals(attribute, value));
    else removals.push(name(attribute));
  }
  return {
    UpdateExpression: `SET ${assignments}${removals.length > 0 ? ` REMOVE ${removals}` : ''}`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((one, index) => [`#${index}`, one])),
    ExpressionAttributeValues: Object.fromEntries(values.map((one, index) => [`:${index}`, one])),
  };
}
