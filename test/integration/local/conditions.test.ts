import type { Server } from 'node:http';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseClient } from '../../../local/aws-clients.ts';
import { embeddedDynamoDb, startDatabase } from '../../../local/database.ts';
import { close } from '../../../local/listen.ts';
import { engineOfTheRun } from '../../support/dynamodb-local/engine.ts';

/* What publishing a configuration relies on: a write on the condition that lists and maps are unchanged. */

const TableName = 'Conditions';

let server: Server;
let client: DynamoDBClient;

beforeAll(async () => {
  const table = {
    tableName: TableName,
    keySchema: [{ AttributeName: 'clientId', KeyType: 'HASH' as const }],
    attributeDefinitions: [{ AttributeName: 'clientId', AttributeType: 'S' as const }],
  };
  const engine = engineOfTheRun() ?? (await embeddedDynamoDb());
  const database = await startDatabase(engine, [table], '', []);
  server = database.server;
  client = databaseClient(database.endpoint);
});
afterAll(async () => {
  client.destroy();
  await close(server);
});

/** Whether a condition holds for an item with such fields. */
async function holds(
  condition: string,
  fields: AttributeValue | undefined,
  base: AttributeValue,
): Promise<boolean> {
  const key = { clientId: { S: 'demo' } };
  await client.send(new PutItemCommand({ TableName, Item: { ...key, ...(fields && { fields }) } }));
  try {
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: key,
        UpdateExpression: 'SET lastFieldId = :one',
        ConditionExpression: condition,
        ExpressionAttributeNames: { '#fields': 'fields' },
        ExpressionAttributeValues: { ':base': base, ':one': { N: '1' } },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

const option: AttributeValue = { M: { value: { S: 'f' }, display: { S: 'Funghi' } } };
const FIELDS: AttributeValue = {
  L: [
    {
      M: {
        id: { S: '1' },
        maxChars: { N: '12345678901234567890123' },
        optionsArray: { L: [option] },
      },
    },
  ],
};

describe('a list is compared by its values', () => {
  test.each<[string, AttributeValue | undefined, boolean]>([
    ['the same', structuredClone(FIELDS), true],
    [
      'one in which the last digit of a number differs',
      JSON.parse(JSON.stringify(FIELDS).replace('90123', '90124')),
      false,
    ],
    ['a value of another type', { S: '[]' }, false],
    ['none', undefined, false],
  ])('with %s', async (_, stored, isEqual) => {
    expect(await holds('#fields = :base', stored, FIELDS)).toBe(isEqual);
    expect(await holds('NOT #fields = :base', stored, FIELDS)).toBe(!isEqual);
    if (stored) expect(await holds('#fields <> :base', stored, FIELDS)).toBe(!isEqual);
  });
});

test('so are parts of it, and parts of a condition', async () => {
  const [field = { NULL: true as const }] = FIELDS.L ?? [];
  expect(await holds('#fields[0] = :base', FIELDS, field)).toBe(true);
  expect(await holds('#fields[0].optionsArray[0] = :base', FIELDS, option)).toBe(true);
  expect(await holds('#fields[1] = :base', FIELDS, field)).toBe(false);
  expect(await holds('attribute_exists(clientId) AND #fields = :base', FIELDS, FIELDS)).toBe(true);
  expect(await holds('#fields = :base OR attribute_exists(clientId)', FIELDS, option)).toBe(true);
  expect(await holds('#fields = :base OR attribute_exists(x)', FIELDS, option)).toBe(false);
});

test('any two lists are equal if and only if their values are', async () => {
  const value = fc.letrec<{ value: AttributeValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      fc.constantFrom('', 'a').map((S) => ({ S })),
      fc.constantFrom('0', '1').map((N) => ({ N })),
      fc.array(tie('value'), { maxLength: 2 }).map((L) => ({ L })),
      fc
        .dictionary(fc.constantFrom('x', 'y'), tie('value'), { noNullPrototype: true })
        .map((M) => ({ M })),
    ) as fc.Arbitrary<AttributeValue>,
  })).value;
  const list = fc.array(value, { maxLength: 2 }).map((L): AttributeValue => ({ L }));
  const pair = fc.oneof(
    fc.tuple(list, list),
    list.map((one) => [one, structuredClone(one)]),
  );
  await fc.assert(
    fc.asyncProperty(pair, async ([one, other]) => {
      const isEqual = sorted(one) === sorted(other);
      expect(await holds('#fields = :base', one, other as AttributeValue)).toBe(isEqual);
    }),
    { numRuns: 60 },
  );
});

/** JSON with the keys of all maps in order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part?.constructor === Object
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
