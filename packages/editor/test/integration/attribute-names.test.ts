import { compare, effectText } from 'customer-data-api/effects';
import { canonicalJson } from 'customer-data-api/history';
import { startAws } from 'customer-data-api/testing/aws';
import { deploymentOf } from 'customer-data-api-deployment';
import { databaseClient } from 'customer-data-api-deployment/local';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { afterAll, expect, test } from 'vitest';
import { listClients, readExistingClient } from '../../clients/configs-table.ts';
import { stateForOperators } from '../../clients/state-for-operators.ts';
import { fileContent } from '../../commands/files.ts';
import { writeConfiguration } from '../../configurations/configuration-file.ts';
import { publication } from '../../configurations/publication.ts';
import { reviewPlan } from '../../configurations/review-plan.ts';
import { fileOf } from '../../configurations/stored-configuration.ts';

/*
 * What operators do with items whose attributes have names that mean something to JavaScript. The
 * embedded DynamoDB loses `__proto__`.
 */

const aws = await startAws();
const dynamodb = databaseClient(aws.endpoint);
afterAll(async () => {
  dynamodb.destroy();
  await aws.stop();
});

/** A field with an attribute of any name, as JSON, in which `__proto__` is a key like any other. */
const fieldWith = (id: string, fieldName: string, attribute: string) => `{"M":{
  "id":{"S":"${id}"}, "fieldType":{"S":"text"}, "fieldName":{"S":"${fieldName}"},
  "subFieldA":{"M":{"subType":{"S":"text"}, ${attribute}}},
  ${attribute}
}}`;

test.each(['__proto__', 'constructor', 'toString'])(
  'an attribute %s is listed as unknown, and kept by a publication',
  async (name) => {
    const fieldsWith = (text: string, fieldName: string) => {
      const attribute = `"${name}":{"M":{"id":{"S":"${text}"},"none":{"NULL":true}}}`;
      const [one, other] = [fieldWith('1', 'Car', attribute), fieldWith('2', fieldName, attribute)];
      return JSON.parse(`{"L":[${one},${other}]}`);
    };
    const fields = fieldsWith('before', 'Wheels');
    const Item = JSON.parse(`{
      "clientId":{"S":"odd"}, "fields":${JSON.stringify(fields)}, "lastFieldId":{"N":"2"},
      "${name}":{"M":{"appIds":{"SS":["key"]}}}
    }`);
    aws.answer({
      Scan: { Items: [Item, { clientId: { S: 'demo' } }] },
      GetItem: { Item },
      Query: { Items: [] },
      UpdateItem: {},
    });
    const tables = { dynamodb, versionsTableName: 'ConfigVersions', configsTableName: 'Configs' };
    const outputs = { UserPoolClientId: 'one' } as Outputs;
    const deployment = deploymentOf({ stackName: 'test', outputs });
    const clients = [];
    for await (const one of listClients(tables)) clients.push(stateForOperators(one, deployment));
    expect(clients).toMatchObject([
      { clientId: 'odd', access: { fingerprints: [] } },
      { clientId: 'demo', access: { fingerprints: [] } },
    ]);
    expect(clients[0]?.findings.map(({ path }) => path)).toContainEqual([name]);

    const { live } = await readExistingClient(tables, 'odd');
    const file = writeConfiguration(fileOf('odd', live)).replace('Wheels', 'Tyres');
    const { fields: edited } = fileContent('odd.yaml', file) as { fields: unknown[] };
    const wanted = () => ({ clientId: 'odd', base: live.digest, fields: edited });
    const context = { tables, deployment };
    const { show, apply } = publication(wanted, reviewPlan, { message: 'Tyres' });
    const shown = await show(context);
    await apply({ ...context, signal: AbortSignal.abort() }, shown, 'ann');
    const { before, after } = shown.plan;
    const sentences = compare(before, { live: after }).map((one) => effectText(one));
    expect(sentences).toEqual([expect.stringMatching(/Wheels.*Tyres/)]);
    const [{ ExpressionAttributeValues = {} } = {}] = aws.inputsOf('UpdateItem');
    const [condition, written] = Object.values(ExpressionAttributeValues as object);
    expect(canonicalJson(written)).toBe(canonicalJson(fieldsWith('before', 'Tyres')));
    expect(canonicalJson(condition)).toBe(canonicalJson(fields));
  },
);
