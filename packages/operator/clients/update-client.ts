import {
  type AttributeValue,
  ConditionalCheckFailedException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { LastChange } from 'customer-data-api/clients';
import { type ConfigsTable, isLastChange } from './configs-table.ts';

/** A change of an item, in DynamoDB's JSON, whose numbers have more digits than JavaScript's. */
interface ItemUpdate {
  /** The new values; undefined removes an attribute. */
  readonly set: Readonly<Record<string, AttributeValue | undefined>>;
  /** Attributes that must still have these values, or still be missing. */
  readonly unchanged?: Readonly<Record<string, AttributeValue | undefined>>;
  /** True to create the item, which must not exist; otherwise it must exist. */
  readonly creates?: boolean;
}

/**
 * Updates the item of a client and its `lastChange` in one call.
 *
 * @returns undefined after success; DynamoDB's refusal if a condition is not met.
 * @throws the AWS SDK's errors. If a read fails after a refused write, `cause` is the refusal.
 */
export async function updateClient(
  table: ConfigsTable,
  clientId: string,
  lastChange: LastChange,
  update: ItemUpdate,
): Promise<ConditionalCheckFailedException | undefined> {
  try {
    await table.dynamodb.send(
      new UpdateItemCommand({
        TableName: table.configsTableName,
        Key: marshall({ clientId }),
        ...expressionsOf({
          ...update,
          set: { ...update.set, lastChange: { M: marshall(lastChange) } },
        }),
      }),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // After a lost response the AWS SDK repeats the call, which fails because of the change itself.
    const isMade = await isLastChange(table, clientId, lastChange).catch((failure) => {
      throw Object.assign(failure, { cause: error });
    });
    return isMade ? undefined : error;
  }
}

/**
 * Makes the call of a change on a condition that never holds. Nothing is written, but AWS refuses
 * a caller who may not change the client.
 *
 * @throws the AWS SDK's errors.
 */
export async function tryToUpdate(table: ConfigsTable, clientId: string): Promise<void> {
  try {
    await table.dynamodb.send(
      new UpdateItemCommand({
        TableName: table.configsTableName,
        Key: marshall({ clientId }),
        ConditionExpression: 'attribute_exists(clientId) AND attribute_not_exists(clientId)',
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Writes the expressions of `UpdateItem`. Names are numbered: any may be a reserved word. */
function expressionsOf({ set, unchanged = {}, creates = false }: ItemUpdate) {
  const names: string[] = [];
  const values: AttributeValue[] = [];
  const name = (attribute: string) => {
    if (!names.includes(attribute)) names.push(attribute);
    return `#${names.indexOf(attribute)}`;
  };
  const equals = ([attribute, value]: [string, AttributeValue]) =>
    `${name(attribute)} = :${values.push(value) - 1}`;
  const assignments: string[] = [];
  const removals: string[] = [];
  for (const [attribute, value] of Object.entries(set)) {
    if (value) assignments.push(equals([attribute, value]));
    else removals.push(name(attribute));
  }
  const conditions = Object.entries(unchanged).map(([attribute, value]) =>
    value ? equals([attribute, value]) : `attribute_not_exists(${name(attribute)})`,
  );
  const exists = `attribute_${creates ? 'not_' : ''}exists(${name('clientId')})`;
  return {
    UpdateExpression: `SET ${assignments}${removals.length > 0 ? ` REMOVE ${removals}` : ''}`,
    ConditionExpression: [exists, ...conditions].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((one, index) => [`#${index}`, one])),
    ExpressionAttributeValues: Object.fromEntries(values.map((one, index) => [`:${index}`, one])),
  };
}
