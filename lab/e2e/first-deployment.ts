import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { awsClient } from '../../packages/deployment/aws-clients.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';

const BUS = 'AWS::Events::EventBus';
const TABLE = 'AWS::DynamoDB::GlobalTable';

/**
 * A first deployment that fails is repeated: the stack keeps what it has, is protected all along,
 * and no table is left over.
 *
 * @param fail deploys what AWS refuses halfway.
 * @param repeat deploys the same without the mistake.
 * @throws AssertionError
 */
export async function expectRepeated(
  stackName: string,
  fail: () => Promise<unknown>,
  repeat: () => Promise<unknown>,
): Promise<void> {
  await assert.rejects(fail, UserError);
  const failed = await stateOf(stackName);
  assert.deepEqual(failed.state, ['CREATE_FAILED', true]);
  assert.notEqual(failed.tables.length, 0);
  await repeat();
  const repeated = await stateOf(stackName);
  assert.deepEqual(repeated.state, ['UPDATE_COMPLETE', true]);
  assert.deepEqual(repeated.tables, failed.tables, 'the tables are others');
  assert.deepEqual(await tablesNamed(stackName), repeated.tables, 'tables are left over');
}

/** Adds a resource to a template that AWS refuses when it has created those that keep data. */
export async function addRefused(templateFile: string): Promise<void> {
  const template = JSON.parse(await readFile(templateFile, 'utf8'));
  const resources = Object.entries<{ Type: string; DeletionPolicy?: string }>(template.Resources);
  const [bus] = resources.find(([, { Type }]) => Type === BUS) ?? [];
  template.Resources.Refused = {
    Type: BUS,
    // There cannot be two of a name.
    Properties: { Name: { Ref: bus } },
    DependsOn: resources
      .filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain')
      .map(([name]) => name),
  };
  await writeFile(templateFile, JSON.stringify(template));
}

/** The status of a stack, whether it is protected, and the names of its tables. */
async function stateOf(
  StackName: string,
): Promise<{ state: [string | undefined, boolean | undefined]; tables: string[] }> {
  const client = awsClient('cloudformation', CloudFormationClient, {});
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
  const [{ StackStatus, EnableTerminationProtection } = {}] = Stacks ?? [];
  const tables: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client },
    { StackName },
  )) {
    for (const { ResourceType, PhysicalResourceId = '' } of StackResourceSummaries) {
      if (ResourceType === TABLE) tables.push(PhysicalResourceId);
    }
  }
  return { state: [StackStatus, EnableTerminationProtection], tables: tables.sort() };
}

async function tablesNamed(stackName: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { TableNames = [] } of paginateListTables(
    { client: awsClient('dynamodb', DynamoDBClient, {}) },
    {},
  )) {
    names.push(...TableNames.filter((name) => name.startsWith(`${stackName}-`)));
  }
  return names.sort();
}
