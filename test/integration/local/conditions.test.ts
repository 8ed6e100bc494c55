import { isDeepStrictEqual } from 'node:util';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTables, type Tables } from '../../support/tables.ts';

/*
 * What publishing a configuration relies on: a write on the condition that lists and maps are
 * unchanged.
 */

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

/** Whether a condition holds for an item with such fields. */
async function holds(condition: string, fields: AttributeValue | undefined, base: AttributeValue) {
  const TableName = tables.configurations.configsTableName;
  const Item = { clientId: { S: 'conditions' }, ...(fields && { fields }) };
  await tables.dynamodb.send(new PutItemCommand({ TableName, Item }));
  const write = new PutItemCommand({
    ...{ TableName, Item, ConditionExpression: condition },
    ExpressionAttributeNames: { '#fields': 'fields' },
    ExpressionAttributeValues: { ':base': base },
  });
  return tables.dynamodb.send(write).then(
    () => true,
    (error) => {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    },
  );
}

const OPTION: AttributeValue = { M: { value: { S: 'f' }, display: { S: 'Funghi' } } };
const FIELD: AttributeValue = {
  M: { maxChars: { N: '12345678901234567890123' }, optionsArray: { L: [OPTION] } },
};
const FIELDS: AttributeValue = { L: [FIELD] };
const ANOTHER = JSON.parse(JSON.stringify(FIELDS).replace('90123', '90124'));

test.each<[string, AttributeValue | undefined, AttributeValue, boolean]>([
  ['#fields = :base', FIELDS, structuredClone(FIELDS), true],
  ['#fields = :base', ANOTHER, FIELDS, false],
  ['#fields = :base', { S: '[]' }, FIELDS, false],
  ['#fields = :base', undefined, FIELDS, false],
  ['#fields <> :base', ANOTHER, FIELDS, true],
  ['#fields <> :base', FIELDS, structuredClone(FIELDS), false],
  ['NOT #fields = :base', FIELDS, structuredClone(FIELDS), false],
  ['#fields[0] = :base', FIELDS, structuredClone(FIELD), true],
  ['#fields[0].optionsArray[0] = :base', FIELDS, structuredClone(OPTION), true],
  ['#fields[1] = :base', FIELDS, FIELD, false],
  ['attribute_exists(clientId) AND #fields = :base', FIELDS, structuredClone(FIELDS), true],
  ['#fields = :base OR attribute_exists(x)', FIELDS, OPTION, false],
])('%s compares values: %#', async (condition, fields, base, expected) => {
  expect(await holds(condition, fields, base)).toBe(expected);
});

test('any two lists are equal if and only if their values are', async () => {
  const { value } = fc.letrec<{ value: AttributeValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      fc.constantFrom({ S: '' }, { S: 'a' }, { S: '0' }, { N: '0' }, { N: '1' }),
      fc.array(tie('value'), { maxLength: 2 }).map((L) => ({ L })),
      fc
        .dictionary(fc.constantFrom('x', 'y'), tie('value'), { noNullPrototype: true })
        .map((M) => ({ M })),
    ) as fc.Arbitrary<AttributeValue>,
  }));
  const list = fc.array(value, { maxLength: 2 }).map((L): AttributeValue => ({ L }));
  await fc.assert(
    fc.asyncProperty(list, list, async (one, other) => {
      expect(await holds('#fields = :base', one, structuredClone(one))).toBe(true);
      expect(await holds('#fields = :base', one, other)).toBe(isDeepStrictEqual(one, other));
    }),
    { numRuns: 40 },
  );
});
