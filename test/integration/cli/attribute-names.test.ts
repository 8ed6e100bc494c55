import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { summarizeClient } from '../../../admin/clients/client-summary.ts';
import { listClients } from '../../../admin/clients/configs-table.ts';
import { planPublication } from '../../../admin/configuration/plan-change.ts';
import { publish } from '../../../admin/configuration/publish.ts';
import { reviewChange } from '../../../admin/configuration/review-change.ts';
import { fileOf, readStored } from '../../../admin/configuration/stored-configuration.ts';
import { writeConfiguration } from '../../../cli/commands/config/configuration-file.ts';
import { readDraft } from '../../../cli/commands/config/draft.ts';
import { canonicalJson, contentDigest } from '../../../core/history/content-digest.ts';
import { databaseClient } from '../../../local/aws-clients.ts';
import { type Aws, startAws } from '../../support/aws.ts';

/*
 * What operators do with items whose attributes have names that mean something to JavaScript. The
 * embedded DynamoDB loses `__proto__`.
 */

let aws: Aws;
let dynamodb: DynamoDBClient;
beforeAll(async () => {
  aws = await startAws();
  dynamodb = databaseClient(aws.endpoint);
});
afterAll(async () => {
  dynamodb.destroy();
  await aws.stop();
});

const NAMES = ['__proto__', 'constructor', 'toString'];

/** A field with an attribute of any name, as JSON, in which `__proto__` is a key like any other. */
const fieldWith = (id: string, fieldName: string, attribute: string) => `{"M":{
  "id":{"S":"${id}"}, "fieldType":{"S":"text"}, "fieldName":{"S":"${fieldName}"},
  "mandatory":{"BOOL":true}, "appUIs":{"L":[{"S":"profile"}]}, "allowMultiple":{"BOOL":false},
  "subFieldA":{"M":{
    "subType":{"S":"text"}, "allowCopies":{"BOOL":true}, "alpha":{"BOOL":true},
    "numbers":{"BOOL":true}, "symbols":{"BOOL":true}, "maxChars":{"N":"20"}, ${attribute}
  }},
  ${attribute}
}}`;
const fieldsWith = (attribute: string, fieldName: string) =>
  JSON.parse(`{"L":[${fieldWith('1', 'Car', attribute)},${fieldWith('2', fieldName, attribute)}]}`);

test.each(
  NAMES.flatMap((name) =>
    ['{"M":{"id":{"S":"3"}}}', '{"NULL":true}', '{"S":"x"}'].map((value) => [name, value]),
  ),
)('a publication keeps %s: %s of a changed field and of another one', async (name, value) => {
  const fields = fieldsWith(`"${name}":${value}`, 'Wheels');
  const Item = { clientId: { S: 'demo' }, fields, lastFieldId: { N: '2' } };
  aws.answer({ GetItem: { Item }, Query: { Items: [] }, UpdateItem: {} });
  const tables = { dynamodb, tableName: 'ConfigVersions', configsTableName: 'Configs' };
  const stored = await readStored(tables, 'demo');
  const file = writeConfiguration(fileOf(stored)).replace('Wheels', 'Tyres');
  const draft = readDraft('demo.yaml', file) as { fields: unknown[] };
  const base = contentDigest(stored.content);
  const plan = await planPublication(tables, { clientId: 'demo', base, fields: draft.fields });
  expect(reviewChange(plan).changes).toEqual([expect.stringMatching(/Wheels.*Tyres/)]);
  await publish(tables, plan, { by: 'ann', message: 'Tyres' });
  const [{ ExpressionAttributeValues = {} } = {}] = aws.inputsOf('UpdateItem');
  const [written, , , condition] = Object.values(ExpressionAttributeValues as typeof Item);
  expect(canonicalJson(written)).toBe(canonicalJson(fieldsWith(`"${name}":${value}`, 'Tyres')));
  expect(canonicalJson(condition)).toBe(canonicalJson(fields));
});

test.each(NAMES)('an attribute %s that appears or goes is named', async (name) => {
  const contentWith = (attribute: string) => ({
    fields: fieldsWith(attribute, 'Wheels'),
    lastFieldId: { N: '2' },
  });
  const without = contentWith('"note":{"S":"y"}');
  const withIt = contentWith(`"note":{"S":"y"},"${name}":{"S":"x"}`);
  const changes = (content: typeof without, after: typeof without) =>
    reviewChange({ before: { clientId: 'demo', content }, after }).changes;
  // In the field and its input, of both fields.
  for (const found of [changes(without, withIt), changes(withIt, without)]) {
    expect(found.filter((change) => change.includes(name))).toHaveLength(4);
    expect(found).toHaveLength(4);
  }
});

test.each(NAMES)('an item with an attribute %s is listed, and hides no other', async (name) => {
  const odd = `{"clientId":{"S":"odd"},"fields":{"L":[]},"lastFieldId":{"N":"0"},"${name}":{"M":{"appIds":{"SS":["key"]}}}}`;
  const Items = [JSON.parse(odd), { clientId: { S: 'demo' } }];
  aws.answer({ Scan: { Items }, GetItem: { Item: JSON.parse(odd) } });
  const table = { dynamodb, tableName: 'Configs' };
  const clients = [];
  for await (const item of listClients(table)) clients.push(summarizeClient(item, false));
  expect(clients.map(({ clientId, keys }) => [clientId, keys])).toEqual([
    ['odd', []],
    ['demo', []],
  ]);
  expect(clients[0]?.findings.map(({ path }) => path)).toContainEqual([name]);
  const tables = { ...table, configsTableName: 'Configs' };
  expect(fileOf(await readStored(tables, 'odd'))).toMatchObject({ clientId: 'odd', fields: [] });
});
