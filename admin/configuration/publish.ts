import {
  type AttributeValue,
  ConditionalCheckFailedException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type LastChange, newLastChange } from '../../core/clients/last-change.ts';
import { contentDigest } from '../../core/history/content-digest.ts';
import { isLastChange } from '../clients/configs-table.ts';
import { ConfigurationConflict } from '../errors.ts';
import type { PlannedChange } from './plan-change.ts';
import { changesSince } from './recent-changes.ts';
import { type ConfigurationTables, readStored } from './stored-configuration.ts';

/**
 * Writes a planned change with one call, on the condition that the content is still what the plan was made for. Nothing else
 * in the item changes.
 *
 * @returns the item's new `lastChange`, by whose id `waitForVersion` finds the version.
 * @throws ConfigurationConflict if somebody has changed the content since. If what they changed cannot be read, it throws the error
 *   of the read, whose cause is DynamoDB's refusal of the write.
 */
export async function publish(
  tables: ConfigurationTables,
  { before, after, restores }: PlannedChange,
  { by, message }: Pick<LastChange, 'by' | 'message'>,
): Promise<LastChange> {
  const { clientId, content } = before;
  const lastChange = newLastChange({ by, message, ...(restores && { restores }) });
  const written = { ...after, lastChange: { M: marshall(lastChange) } };
  const expression = new Expression();
  const name = (attribute: string) => expression.name(attribute);
  const value = (attributeValue: AttributeValue) => expression.value(attributeValue);

  const set = Object.entries(written).map(([key, part]) => `${name(key)} = ${value(part)}`);
  const conditions = Object.entries(content).map(([key, part]) =>
    part ? `${name(key)} = ${value(part)}` : `attribute_not_exists(${name(key)})`,
  );
  try {
    await tables.dynamodb.send(
      new UpdateItemCommand({
        TableName: tables.configsTableName,
        Key: marshall({ clientId }),
        UpdateExpression: `SET ${set}`,
        ConditionExpression: [`attribute_exists(${name('clientId')})`, ...conditions].join(' AND '),
        ...expression.attributes,
      }),
    );
    return lastChange;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    try {
      const configs = { dynamodb: tables.dynamodb, tableName: tables.configsTableName };
      if (await isLastChange(configs, clientId, lastChange)) return lastChange;
      const stored = await readStored(tables, clientId);
      const since = await changesSince(tables, contentDigest(content), stored);
      throw new ConfigurationConflict(clientId, { kind: 'changed', since });
    } catch (failure) {
      if (failure instanceof Error) failure.cause ??= error;
      throw failure;
    }
  }
}

/** Collects the names and values of DynamoDB's expressions. */
class Expression {
  readonly #names: string[] = [];
  readonly #values: AttributeValue[] = [];

  name(attribute: string): string {
    if (!this.#names.includes(attribute)) this.#names.push(attribute);
    return `#${this.#names.indexOf(attribute)}`;
  }

  value(attributeValue: AttributeValue): string {
    return `:${this.#values.push(attributeValue) - 1}`;
  }

  get attributes() {
    return {
      ExpressionAttributeNames: Object.fromEntries(
        this.#names.map((name, index) => [`#${index}`, name]),
      ),
      ExpressionAttributeValues: Object.fromEntries(
        this.#values.map((value, index) => [`:${index}`, value]),
      ),
    };
  }
}
