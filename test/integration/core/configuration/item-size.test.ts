import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readItem } from '../../../../core/aws/attribute-values.ts';
import type { RawItem } from '../../../../core/client-attributes.ts';
import { itemBytes, MAX_ITEM_BYTES } from '../../../../core/configuration/item-size.ts';
import { runs } from '../../../support/runs.ts';
import { startTables } from '../../../support/tables.ts';

const tables = await startTables();
afterAll(() => tables.stop());

// The embedded engine counts the units of a text and not its bytes in UTF-8.
const text = fc.string({ minLength: 1, maxLength: 9 });
const number = fc.oneof(
  fc.maxSafeInteger().map(String),
  fc.tuple(fc.nat(), fc.integer({ min: -9, max: 9 })).map(([n, power]) => `${n}e${power}`),
  fc.constantFrom('0', '-0.10', '100', '120', '-1234500', '0.012'),
);
const leaf = fc.oneof(
  text.map((S) => ({ S })),
  number.map((N) => ({ N })),
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true as const }),
  fc.uint8Array({ minLength: 1, maxLength: 9 }).map((B) => ({ B })),
  fc.uniqueArray(text, { minLength: 1, maxLength: 3 }).map((SS) => ({ SS })),
);
const name = fc.stringMatching(/^[a-z]{1,9}$/);
const { value } = fc.letrec<{ value: RawItem[string] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }).map((L) => ({ L })),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }).map((M) => ({ M })),
  ),
}));

test('the largest item that DynamoDB accepts is counted as such', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 4 }), async (attributes) => {
      const item = { ...attributes, clientId: { S: 'any' }, filling: { S: '' } };
      const missing = MAX_ITEM_BYTES - itemBytes(readItem(item));
      const put = (bytes: number) =>
        tables.dynamodb.send(
          new PutItemCommand({
            TableName: tables.configurations.configsTableName,
            Item: { ...item, filling: { S: 'x'.repeat(bytes) } },
          }),
        );
      await put(missing);
      await expect(put(missing + 1)).rejects.toMatchObject({ name: 'ValidationException' });
    }),
    { numRuns: runs(30) },
  );
});
