/* Beside `npm start`: customers apply a code at once, and each event is delivered twice at once. */
import { execFileSync } from 'node:child_process';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { headersOf } from 'customer-data-api/operations';
import * as local from 'customer-data-api-deployment/local';
import { createTable } from 'customer-data-api-local';
import { parse } from 'valibot';
import { AppliedCode, grantOnce } from './grant-once.ts';

const [promoCode = 'SAVE10', customers = '50', slots = '10'] = process.argv.slice(2);
const { ApiUrl, DynamoDbEndpoint } = await local.runningOutputs(local.LOCAL_FOLDER);
const issuer = await local.runningIssuer(local.LOCAL_FOLDER);

const client = local.databaseClient(DynamoDbEndpoint);
const key = (AttributeName: string, KeyType: 'HASH' | 'RANGE' = 'HASH') => ({
  AttributeName,
  AttributeType: 'S' as const,
  KeyType,
});
for (const [tableName, ...keys] of [
  ['Codes', key('clientId'), key('code', 'RANGE')] as const,
  ['Grants', key('grantId')] as const,
]) {
  await createTable(client, { tableName, keySchema: keys, attributeDefinitions: keys });
}
const document = DynamoDBDocument.from(client);
// A put would remove the ids of those who have a slot.
await document.update({
  TableName: 'Codes',
  Key: { clientId: 'demo', code: promoCode },
  UpdateExpression: 'SET validFrom = :from, validUntil = :until, slots = :slots',
  ExpressionAttributeValues: { ':from': '2026', ':until': '2100', ':slots': Number(slots) },
});

const users = Array.from({ length: Number(customers) }, (_, number) => `customer-${number}`);
const apply = async (userId: string) => {
  const idToken = await local.signIdToken(issuer, { user: userId });
  const requestDate = new Date().toISOString();
  const other = { clientId: 'demo', eventType: 'promo_applied', source: 'profile' };
  const response = await fetch(`${ApiUrl}/promoCode/apply`, {
    method: 'POST',
    headers: headersOf({ idToken, appId: 'demo-app-key', deviceId: '0', requestDate }),
    body: JSON.stringify({ ...other, promoCode, userId }),
  });
  if (!response.ok) throw new Error(await response.text());
};
await Promise.all(users.map(apply));

// What `npm run --silent events` prints.
const pattern = JSON.stringify({ 'detail-type': ['applied'], detail: { promoCode: [promoCode] } });
const events = ['packages/local/commands/events.ts', '--no-follow', '--pattern', pattern];
let lines: string[] = [];
for (let reads = 1; lines.length < users.length; reads += 1) {
  const found = execFileSync(process.execPath, events, { encoding: 'utf8' });
  const count = lines.length;
  lines = found.split('\n').filter(Boolean);
  if (lines.length > count) reads = 0;
  // The service stores a code without spaces around it.
  if (reads === 10) throw new Error(`The bus has ${count} events of "${promoCode}".`);
}

const given = new Set<string>();
const benefits = {
  give: async (grantId: string) => given.add(grantId) && grantId,
  find: async (grantId: string) => (given.has(grantId) ? grantId : undefined),
};
const tables = { codesTable: 'Codes', grantsTable: 'Grants' };
const deliver = (line: string) =>
  grantOnce(parse(AppliedCode, JSON.parse(line)), { document, ...tables, guests: [], benefits });
const outcomes = await Promise.all([...lines, ...lines.toReversed()].map(deliver));
// Events come in no order.
const sorted = outcomes.slice(0, lines.length).map(String).toSorted();
for (const [outcome, { length }] of Map.groupBy(sorted, String)) {
  process.stdout.write(`${outcome}: ${length}\n`);
}
