import { describe, expect, test } from 'vitest';
import { customerDataCommand } from '../../cli/command-line.ts';
import { nameOf } from '../../functions/api/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import {
  actionsOf,
  OPERATOR_POLICIES,
  type OperatorPolicy,
  PERMISSIONS,
} from '../../lib/operator-permissions.ts';
import { templateFor } from '../support/stack.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
}

const template = templateFor();
const policies = Object.entries(template.findResources('AWS::IAM::ManagedPolicy'));

function statementsOf(name: OperatorPolicy): Statement[] {
  const [, policy] = policies.find(([id]) => id.startsWith(`OperatorPolicies${name}`)) ?? [];
  return policy?.Properties.PolicyDocument.Statement ?? [];
}

/** The actions on the resource whose ARN matches a pattern, such as the start of its logical id. */
function allowed(name: OperatorPolicy, resource: RegExp): string[] {
  return statementsOf(name)
    .filter(({ Resource }) => resource.test(JSON.stringify(Resource)))
    .flatMap(({ Action }) => Action)
    .sort();
}

/** The calls that a policy allows, by resource: its logical id and attribute, or its ARN. */
function callsByResource(name: OperatorPolicy): Record<string, string[]> {
  const calls: Record<string, string[]> = {};
  for (const { Action, Resource } of statementsOf(name)) {
    for (const resource of [Resource].flat().map(readable)) {
      calls[resource] = [...(calls[resource] ?? []), ...[Action].flat()].sort();
    }
  }
  return calls;
}

// biome-ignore lint/suspicious/noExplicitAny: a string or a function of CloudFormation
function readable(resource: any): string {
  if (resource['Fn::GetAtt']) return resource['Fn::GetAtt'].join('.').replace(/[0-9A-F]{8}\./, '.');
  const [, parts = [resource]] = resource['Fn::Join'] ?? [];
  const text = parts.map((part: string | { Ref: string }) => Object(part).Ref ?? part).join('');
  return text.replace(/\$\{aws:username\}/, 'OWN');
}

describe('the policies for operators', () => {
  test('are outputs, and are attached to nobody', () => {
    for (const name of OPERATOR_POLICIES) {
      const [[, output]] = Object.entries(template.findOutputs(`${name}PolicyArn`)) as [
        [string, { Value: unknown }],
      ];
      expect(output.Value).toEqual({ Ref: expect.stringContaining(`OperatorPolicies${name}`) });
    }
    expect(policies).toHaveLength(OPERATOR_POLICIES.length);
    for (const [, { Properties }] of policies) {
      expect(Object.keys(Properties).sort()).toEqual(['Description', 'Path', 'PolicyDocument']);
    }
  });

  test('allow these calls on these resources, and no others', () => {
    const LOOK = ['sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'];
    const PREFIX = 'arn:AWS::Partition:';
    const IN_REGION = 'AWS::Region:AWS::AccountId:';
    const ofCaller = ['iam:GetRole', 'iam:SimulatePrincipalPolicy'];
    const viewer: Record<string, string[]> = {
      '*': ['cloudwatch:DescribeAlarms', 'lambda:GetAccountSettings'],
      [`${PREFIX}apigateway:AWS::Region::/account`]: ['apigateway:GET'],
      [`${PREFIX}cloudformation:${IN_REGION}stack/CustomerDataApi-test/*`]: [
        ...['cloudformation:DescribeStacks', 'cloudformation:ListStackResources'],
      ],
      [`${PREFIX}iam::AWS::AccountId:role/*`]: ofCaller,
      [`${PREFIX}iam::AWS::AccountId:user/OWN`]: ofCaller,
      [`${PREFIX}iam::AWS::AccountId:user/*/OWN`]: ofCaller,
      [`${PREFIX}sns:${IN_REGION}*`]: ['sns:ListSubscriptionsByTopic'],
      'PromoEventsBusDeadLetterQueue.Arn': LOOK,
      'PromoEventsQueue.Arn': ['sqs:GetQueueAttributes'],
      'PromoEventsQueueDeadLetterQueue.Arn': LOOK,
      'TablesConfigVersions.Arn': ['dynamodb:GetItem', 'dynamodb:Query'],
      'TablesConfigs.Arn': ['dynamodb:GetItem', 'dynamodb:Scan'],
      'TablesPromoEvents.Arn': ['dynamodb:GetItem', 'dynamodb:Query'],
      'TablesPromoEvents.StreamArn': ['dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
    };
    const and = (...more: [resource: string, calls: string[]][]) =>
      Object.fromEntries(
        more.map(([resource, calls]) => [resource, [...(viewer[resource] ?? []), ...calls].sort()]),
      );
    expect(callsByResource('Viewer')).toEqual(viewer);
    expect(callsByResource('Editor')).toEqual({
      ...viewer,
      ...and(
        ['TablesConfigs.Arn', ['dynamodb:DeleteItem', 'dynamodb:UpdateItem']],
        ['*', ['logs:GetQueryResults']],
      ),
      ...Object.fromEntries(
        OPERATIONS.map((operation) => [`${nameOf(operation)}Logs.Arn`, ['logs:StartQuery']]),
      ),
    });
    expect(callsByResource('OnCall')).toEqual({
      ...viewer,
      ...and(
        ['PromoEventsBusDeadLetterQueue.Arn', ['sqs:DeleteMessage']],
        ['PromoEventsQueueDeadLetterQueue.Arn', ['sqs:DeleteMessage']],
        ['TablesPromoEvents.Arn', ['dynamodb:DeleteItem']],
      ),
      'PromoEventsBusEventBus.Arn': ['events:PutEvents'],
      'PromoEventsQueue.Arn': [...LOOK, 'sqs:DeleteMessage', 'sqs:SendMessage'].sort(),
    });
  });

  test('say for whom they are, and of which stack', () => {
    const descriptions = policies.map(([id, { Properties }]) => [
      id.replace(/^OperatorPolicies|[0-9A-F]{8}$/g, ''),
      Properties.Description,
    ]);
    const reads = 'CustomerDataApi-test: customer-data commands that read';
    expect(Object.fromEntries(descriptions)).toEqual({
      Viewer: reads,
      Editor: `${reads}, and those that change clients, keys and configurations`,
      OnCall: `${reads}, and those that move, publish and erase promo events`,
    });
  });

  test('allow single calls: no action has a wildcard', () => {
    for (const name of OPERATOR_POLICIES) {
      for (const { Effect, Action } of statementsOf(name)) {
        expect(Effect).toBe('Allow');
        for (const action of [Action].flat()) expect(action).toMatch(/^[a-z]+:[A-Za-z]+$/);
      }
    }
  });

  test('a viewer writes nothing: neither to a table, nor to a queue, nor to the bus', () => {
    const actions = statementsOf('Viewer').flatMap(({ Action }) => Action);
    expect(actions.filter((action) => /Put|Update|Delete|Send|Write|Create/.test(action))).toEqual(
      [],
    );
    expect(allowed('Viewer', /TablesConfigs/)).toEqual(['dynamodb:GetItem', 'dynamodb:Scan']);
  });

  test('an editor changes items of the Configs table, and no version or promo event', () => {
    expect(allowed('Editor', /TablesConfigs/)).toEqual([
      ...['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:Scan', 'dynamodb:UpdateItem'],
    ]);
    expect(allowed('Editor', /TablesConfigVersions/)).toEqual([
      ...['dynamodb:GetItem', 'dynamodb:Query'],
    ]);
    expect(allowed('Editor', /PromoEventsQueueDeadLetterQueue/)).not.toContain('sqs:DeleteMessage');
    const writes = statementsOf('Editor')
      .flatMap(({ Action }) => Action)
      .filter((action) => /Item$/.test(action));
    expect(writes).not.toContain('dynamodb:PutItem');
  });

  test('an editor queries the logs of the functions of the API, and no others', () => {
    const queried = statementsOf('Editor').filter(({ Action }) => Action === 'logs:StartQuery');
    expect(queried.map(({ Resource }) => Resource)).toEqual([
      OPERATIONS.map((operation) => ({
        'Fn::GetAtt': [expect.stringMatching(`^${nameOf(operation)}Logs`), 'Arn'],
      })),
    ]);
    expect(allowed('Viewer', /Logs/)).toEqual([]);
  });

  test('somebody on call moves and erases promo events, and changes no client', () => {
    expect(allowed('OnCall', /TablesConfigs/)).toEqual(['dynamodb:GetItem', 'dynamodb:Scan']);
    expect(allowed('OnCall', /"PromoEventsQueue(?!DeadLetter)/)).toContain('sqs:SendMessage');
    expect(allowed('OnCall', /EventBus/)).toContain('events:PutEvents');
  });

  test('have resources of the stack; only what IAM cannot limit has all of them', () => {
    for (const name of OPERATOR_POLICIES) {
      const open = statementsOf(name).filter(({ Resource }) => Resource === '*');
      expect(open.flatMap(({ Action }) => Action)).toEqual([
        ...['cloudwatch:DescribeAlarms', 'lambda:GetAccountSettings'],
        ...(name === 'Editor' ? ['logs:GetQueryResults'] : []),
      ]);
    }
  });

  test('let doctor ask what the caller may do, of users only about themselves', () => {
    for (const name of OPERATOR_POLICIES) {
      const ofIam = statementsOf(name).filter(({ Action }) =>
        [Action].flat().some((action) => action.startsWith('iam:')),
      );
      expect(ofIam.map(({ Action }) => Action)).toEqual([
        ['iam:GetRole', 'iam:SimulatePrincipalPolicy'],
      ]);
      const arns = JSON.stringify(ofIam.map(({ Resource }) => Resource)).match(
        /:(user|role)[^"]*/g,
      );
      expect(arns?.map((arn) => arn.replace(/\$\{aws:username\}/, 'OWN'))).toEqual([
        ...[':role/*', ':user/OWN', ':user/*/OWN'],
      ]);
    }
  });

  test('an editor and somebody on call may do what a viewer may', () => {
    for (const [resource, actions] of actionsOf('Viewer')) {
      for (const name of ['Editor', 'OnCall'] as const) {
        expect(actionsOf(name).get(resource)).toEqual(expect.arrayContaining([...actions]));
      }
    }
  });

  test('name each command that calls AWS, and no other', () => {
    const program = customerDataCommand(process);
    const existing = program.commands.flatMap((group) =>
      group.commands.length > 0
        ? group.commands.map((command) => ({ name: `${group.name()} ${command.name()}`, command }))
        : [{ name: group.name(), command: group }],
    );
    const permitted = new Set(PERMISSIONS.flatMap(({ commands }) => commands));
    const offline = ['config check', 'events', 'smoke'];
    const callsAws = existing.filter(({ name }) => !offline.includes(name));
    expect(callsAws.map(({ name }) => name).filter((name) => !permitted.has(name))).toEqual([]);
    // An option alone stands for all commands that have it.
    const possible = callsAws.flatMap(({ name, command }) => [
      name,
      ...command.options.flatMap(({ long }) => [long, `${name} ${long}`]),
    ]);
    expect([...permitted].filter((words) => !possible.includes(words))).toEqual([]);
  });
});
