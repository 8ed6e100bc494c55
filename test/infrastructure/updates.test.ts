import { readdir, readFile } from 'node:fs/promises';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { addCustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { newestRelease } from '../../openapi/released-documents.ts';
import { appFor } from '../support/stack.ts';
import { changedByUpdate, lostByUpdate, type Resources } from '../support/stateful-resources.ts';

/*
 * An update never replaces a table, the user pool, an app client, the API, the bus or a queue, and
 * weakens none of them: sign-up, TLS, encryption and protection change only on purpose.
 */

const RELEASES = new URL('releases/', import.meta.url);
const released: Resources = JSON.parse(
  await readFile(new URL(newestRelease(await readdir(RELEASES)), RELEASES), 'utf8'),
);
const current = Template.fromStack(addCustomerDataApiStack(appFor({ stage: 'prod' }))).toJSON();

test('an update of stage prod from the last release keeps every stateful resource', () => {
  expect(Object.keys(released.Resources).length).toBeGreaterThan(7);
  expect(lostByUpdate(released, current as Resources)).toEqual([]);
});

test('an update of stage prod from the last release changes in place what is listed here', () => {
  expect(changedByUpdate(released, current as Resources)).toEqual([
    // The default.
    'ApiF70053CD DisableExecuteApiEndpoint: undefined → false',
    // Refuses TLS 1.0 and 1.1.
    'ApiF70053CD SecurityPolicy: undefined → "TLS_1_2"',
    // For the history of configurations.
    'TablesConfigsAE0FD689 StreamSpecification: undefined → {"StreamViewType":"NEW_AND_OLD_IMAGES"}',
  ]);
});

test('the comparison notices that resources are gone', () => {
  const ids = Object.keys(released.Resources);
  expect(lostByUpdate(released, { Resources: {} }).map((line) => line.split(' ')[0])).toEqual(ids);
});

test.each<[string, properties: object, isLost: boolean]>([
  ['AWS::DynamoDB::GlobalTable', { TableName: 'configs' }, true],
  // Cognito refuses to change what users sign in with.
  ['AWS::Cognito::UserPool', { UsernameAttributes: ['email'] }, true],
  ['AWS::SQS::Queue', { QueueName: 'another' }, true],
  ['AWS::DynamoDB::GlobalTable', { BillingMode: 'PROVISIONED' }, false],
])('an update of %s to %j loses it: %j', (type, properties, isLost) => {
  const copy = structuredClone(released);
  const [id = '', resource] =
    Object.entries(copy.Resources).find(([, { Type }]) => Type === type) ?? [];
  Object.assign(resource?.Properties ?? {}, properties);
  const lost = lostByUpdate(released, copy);
  expect(lost).toEqual(isLost ? [expect.stringContaining(id)] : []);
});
