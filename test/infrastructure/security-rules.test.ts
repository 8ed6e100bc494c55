import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Stack, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, inject, test } from 'vitest';
import { addCustomerDataApiStack } from '../../lib/customer-data-api-stack.ts';
import { appFor, stackFor } from '../support/stack.ts';

/* The rules of cdk-nag that a stage breaks on purpose. cdk-nag itself checks the rest at every synth. */

/** The ids of the rules, with what they are about in brackets, and the reasons. */
const rulesOf = (stack: Stack): [string, string][] =>
  stack.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.entries(data));

function acknowledgedBy(stage: string): ReadonlyMap<string | undefined, string> {
  const rules = rulesOf(addCustomerDataApiStack(appFor({ stage })));
  return new Map(rules.map(([rule, reason]) => [/AwsSolutions-(\w+)/.exec(rule)?.[1], reason]));
}

const PROD = ['APIG2', 'APIG4', 'COG2', 'COG4', 'COG8', 'IAM4', 'IAM5', 'SQS3'];

test('stage prod has access logs, a log of the gateway and a web ACL, so it breaks none of these rules', () => {
  expect([...acknowledgedBy('prod').keys()].sort()).toEqual(PROD);
});

test('stage dev, which has neither, breaks them as well', () => {
  const others = [...acknowledgedBy('dev')].filter(([rule = '']) => !PROD.includes(rule)).sort();
  // The reasons name the settings that would end that.
  expect(others).toEqual([
    ['APIG1', expect.stringMatching(/^The setting accessLogs is off\./)],
    ['APIG3', expect.stringMatching(/^The setting webAcl says that the stage has none:/)],
    ['APIG6', expect.stringMatching(/^The setting accessLogs is off\./)],
  ]);
});

test('cdk-nag checks each synthesis', async () => {
  // The validation of the CDK is off for this assembly, so there is a report only because of cdk-nag.
  const file = join(inject('cloudAssembly'), 'validation-report.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pluginReports: [] });
});

test.each<Record<string, unknown>>([
  { retainData: true, alarmRecipients: 'none', accessLogs: true, gatewayLogRole: 'new' },
  { userPoolId: 'eu-central-1_AbCdEfGhI', userPoolClientIds: ['1example23456789'] },
  { signInIdentifiers: ['email', 'phone'], alarmRecipients: ['ops@example.com'] },
  { webAcl: true, gradualDeployment: true, corsOrigins: '*' },
])('a stage with %j breaks no other rule', (settings) => {
  const { violations } = new AwsSolutionsChecks().validateScope(stackFor(settings));
  expect(violations.map(({ ruleName }) => ruleName)).toEqual([]);
});

test('of the policies that AWS maintains, those that roles have are acknowledged, and no others', () => {
  const logs = { accessLogs: true, gatewayLogRole: 'new' };
  const stack = stackFor({ ...logs, gradualDeployment: true });
  const policies = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Role')).flatMap(
    ({ Properties }) => Properties.ManagedPolicyArns ?? [],
  );
  const arns = policies.map(({ 'Fn::Join': [, parts] }) =>
    parts
      .map((part: string | { Ref: string }) => (typeof part === 'string' ? part : `<${part.Ref}>`))
      .join(''),
  );
  expect(arns).toHaveLength(2);
  const acknowledged = rulesOf(stack).flatMap(
    ([rule]) => /IAM4\[Policy::(.*)\]/.exec(rule)?.[1] ?? [],
  );
  expect(acknowledged.sort()).toEqual(arns.sort());
});
