import { readdir, readFile } from 'node:fs/promises';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
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

describe('the comparison', () => {
  type Changed = Record<string, { Type: string; Properties: Record<string, unknown> }>;
  const idOf = (type: string) =>
    Object.entries(released.Resources).find(([, { Type }]) => Type === type)?.[0] ?? '';
  const lostBy = (change: (resources: Changed) => void) => {
    const copy = structuredClone(released);
    change(copy.Resources as Changed);
    return lostByUpdate(released, copy).join();
  };
  const table = idOf('AWS::DynamoDB::GlobalTable');

  test('notices nothing in a new resource, and in what is updated in place', () => {
    const result = lostBy((resources) => {
      resources.Another = { Type: 'AWS::SQS::Queue', Properties: {} };
      Object.assign(resources[table]?.Properties ?? {}, { BillingMode: 'PROVISIONED' });
    });
    expect(result).toBe('');
  });

  test.each(Object.entries(released.Resources))('notices that %s is gone', (id, { Type }) => {
    const result = lostBy((resources) => delete resources[id]);
    expect(result).toMatch(new RegExp(`^${id} \\(${Type}\\): WILL_(DESTROY|ORPHAN)$`));
  });

  test('notices another type', () => {
    const result = lostBy((resources) => {
      Object.assign(resources[table] ?? {}, { Type: 'AWS::SQS::Queue' });
    });
    expect(result).toContain(`${table} (AWS::DynamoDB::GlobalTable): WILL_REPLACE`);
  });

  test.each([
    ['AWS::DynamoDB::GlobalTable', { TableName: 'configs' }],
    ['AWS::DynamoDB::GlobalTable', { LocalSecondaryIndexes: [{ IndexName: 'x' }] }],
    ['AWS::DynamoDB::GlobalTable', { KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }],
    // Cognito refuses to change what users sign in with.
    ['AWS::Cognito::UserPool', { UsernameAttributes: ['email'] }],
    ['AWS::Cognito::UserPoolClient', { GenerateSecret: true }],
    ['AWS::Cognito::UserPoolClient', { UserPoolId: 'eu-central-1_Other' }],
    ['AWS::Events::EventBus', { Name: 'another' }],
    ['AWS::SQS::Queue', { QueueName: 'another' }],
  ])('notices a property of %s that cannot be updated: %j', (type, properties) => {
    const id = idOf(type);
    const result = lostBy((resources) => {
      Object.assign(resources[id]?.Properties ?? {}, properties);
    });
    expect(result).toMatch(
      new RegExp(`^${id} \\(${type}\\): (?:(?:WILL|MAY)_REPLACE|\\w+ is fixed)$`),
    );
  });
});
