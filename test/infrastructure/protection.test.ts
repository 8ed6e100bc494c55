import { expect, test } from 'vitest';
import type { GoldenTemplate } from './golden-template.ts';
import { EVERY_ALARM, goldenOf, VARIANTS } from './variants.ts';

/*
 * Rules that a new table, queue or alarm has to keep, too. The golden files have the ids, whose
 * change would replace a resource, the grants, and the settings in short.
 */

// biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own properties
type Properties = any;

const STATEFUL = [
  'DynamoDB::GlobalTable',
  'SQS::Queue',
  'Cognito::UserPool',
  'Cognito::UserPoolClient',
];

const PAGING =
  /Availability$|Refusals$|^(?:BusBehind|Calls(?:Lost|Stopped)|GatewayErrors|GuaranteeBroken|Heartbeat)$/;

const prod = goldenOf({});
const everyAlarm = goldenOf({ ...EVERY_ALARM, alarmRecipients: ['a@example.com'] });
const experiment = goldenOf(VARIANTS.experiment ?? {});

/** The resources of a type, by id. */
function resourcesOf(template: GoldenTemplate, type: string): [string, Properties][] {
  return Object.entries<Properties>(template).filter(([, { Type }]) => Type === `AWS::${type}`);
}

const propertiesOf = (template: GoldenTemplate, type: string): Record<string, Properties> =>
  Object.fromEntries(
    resourcesOf(template, type).map(([id, { Properties }]) => [id, Properties ?? {}]),
  );

/** A reference as the golden form has it. */
const ref = (id: string) => `\${${id}}`;

const statements = (policy: Properties) => [policy.PolicyDocument.Statement].flat();

test.each([
  ['prod keeps', prod, 'Retain', 'RetainExceptOnCreate', true],
  ['an experiment deletes', experiment, 'Delete', 'Delete', false],
] as const)('a stage of %s its data and logs', (_, template, data, logs, isProtected) => {
  const policies = (type: string) =>
    resourcesOf(template, type).map(([id, one]) => [id, one.DeletionPolicy]);
  const stateful = STATEFUL.flatMap(policies);
  expect(stateful.length).toBeGreaterThan(9);
  expect(stateful.filter(([, policy]) => policy !== data)).toEqual([]);
  expect(
    policies('Logs::LogGroup').filter(([id, policy]) => policy !== logs && id !== 'GatewayLogs'),
  ).toEqual([]);
  for (const { Replicas } of Object.values(propertiesOf(template, 'DynamoDB::GlobalTable'))) {
    expect(Replicas[0].DeletionProtectionEnabled).toBe(isProtected);
  }
  const [pool] = Object.values(propertiesOf(template, 'Cognito::UserPool'));
  expect(pool.DeletionProtection).toBe(isProtected ? 'ACTIVE' : 'INACTIVE');
  expect(template.Stack).toMatchObject({ terminationProtection: isProtected });
  // What a deletion keeps, a replacement keeps, too.
  for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of Object.entries<Properties>(template))
    expect(UpdateReplacePolicy, id).toBe(DeletionPolicy?.replace('ExceptOnCreate', ''));
});

test('every table can be named in the settings, and none gets a name that a deployment would replace', () => {
  const tables = propertiesOf(prod, 'DynamoDB::GlobalTable');
  expect(Object.keys(tables).length).toBeGreaterThan(3);
  expect(
    Object.values(tables)
      .map(({ TableName }) => TableName)
      .filter(Boolean),
  ).toEqual([]);
  const named = goldenOf(VARIANTS['existing-resources'] ?? {});
  expect(resourcesOf(named, 'DynamoDB::GlobalTable')).toEqual([]);
});

test('tables are encrypted, can be restored, and only promo events and erasures expire', () => {
  const tables = propertiesOf(prod, 'DynamoDB::GlobalTable');
  for (const { SSESpecification, Replicas } of Object.values(tables)) {
    expect(SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS' });
    expect(Replicas[0].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled).toBe(true);
  }
  const expiring = Object.entries(tables).flatMap(([id, { TimeToLiveSpecification: ttl }]) =>
    ttl?.Enabled ? [[id, ttl.AttributeName]] : [],
  );
  expect(Object.fromEntries(expiring)).toEqual({
    TablesPromoEvents: 'expiresAt',
    TablesErasures: 'expiresAt',
  });
});

test('queues are encrypted, require TLS, and keep messages for 14 days; positions in a stream for one', () => {
  const secured = Object.values(propertiesOf(prod, 'SQS::QueuePolicy')).flatMap((policy) =>
    statements(policy).flatMap(({ Effect, Principal, Condition }) =>
      Effect === 'Deny' &&
      Principal.AWS === '*' &&
      Condition.Bool['aws:SecureTransport'] === 'false'
        ? policy.Queues
        : [],
    ),
  );
  const queues = Object.entries(propertiesOf(prod, 'SQS::Queue'));
  expect(queues.length).toBeGreaterThan(3);
  for (const [id, { SqsManagedSseEnabled, MessageRetentionPeriod }] of queues) {
    const days = id === 'ConfigurationHistoryDeadLetterQueue' ? 1 : 14;
    expect([SqsManagedSseEnabled, MessageRetentionPeriod]).toEqual([true, days * 24 * 60 * 60]);
    expect(secured, id).toContain(ref(id));
  }
});

test('no operator may send to the bus, or purge a queue', () => {
  const policies = Object.values(propertiesOf(prod, 'IAM::ManagedPolicy')).flatMap(statements);
  const actions = policies.flatMap(({ Action }) => Action);
  expect(actions).toContain('sqs:StartMessageMoveTask');
  for (const action of ['events:PutEvents', 'sqs:PurgeQueue']) {
    expect(actions).not.toContain(action);
  }
});

test('each alarm informs when it goes on, pages when it goes on and off, or rolls back', () => {
  const page = [ref('AlarmsRecipientsPage')];
  const inform = [ref('AlarmsRecipientsInform')];
  const rollback = propertiesOf(everyAlarm, 'CodeDeploy::DeploymentGroup');
  for (const [id, alarm] of Object.entries(propertiesOf(everyAlarm, 'CloudWatch::Alarm'))) {
    const { AlarmActions, OKActions, TreatMissingData } = alarm;
    const ofDeployment = JSON.stringify(rollback).includes(ref(id));
    const name = alarm.AlarmName.replace(/.*\//, '');
    const pages = PAGING.test(name);
    expect(AlarmActions, id).toEqual(ofDeployment ? undefined : pages ? page : inform);
    // The first state of a new alarm would be a message.
    expect(OKActions, id).toEqual(pages ? page : undefined);
    expect(TreatMissingData, id).toBe(name === 'Heartbeat' ? 'missing' : 'notBreaching');
  }
});
