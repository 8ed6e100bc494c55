import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCloudAssembly } from 'customer-data-api-local';
import { expect, inject, test } from 'vitest';
import {
  checkPromoEvents,
  publishPromoEvents,
  recordConfigurationVersions,
  storeQueuedPromoEvents,
} from '../../functions/background-functions.ts';
import { functionName } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import {
  actionsOf,
  type OPERATOR_POLICIES,
  PERMISSIONS,
  RUNBOOK_ACTIONS,
} from '../../lib/operators/permissions-of-commands.ts';
import { PROJECT } from '../support/documents/document.ts';
import { templateFor } from '../support/stack.ts';

/** The folder to which the sources of bundles are relative. */
const BUNDLE = new URL('bundle/', PROJECT);

/*
 * No grant is wider than the calls that need it. protection.test.ts has the resources on which
 * they are made.
 */

/**
 * The calls that code makes, such as `PutItem`: `new PutCommand(…)`, `new PutItemCommand(…)`,
 * `paginateQuery(…)`.
 */
function callsIn(code: string): Set<string> {
  const found = code.matchAll(/(?:new |paginate)([A-Z]\w+?)(?:Batch)?(?:Command)?\(/g);
  const names = Array.from(found, ([, name = '']) => name);
  return new Set(names.map((name) => name.replace(/^(?:Get|Put|Update|Delete)$/, '$&Item')));
}

const namesOf = (actions: readonly string[]) => actions.map((action) => action.replace(/.*:/, ''));

test.each([
  ...OPERATIONS.map((operation) => [functionName(operation), operation] as const),
  [storeQueuedPromoEvents.name, storeQueuedPromoEvents] as const,
  [publishPromoEvents.name, publishPromoEvents] as const,
  [recordConfigurationVersions.name, recordConfigurationVersions] as const,
  [checkPromoEvents.name, checkPromoEvents] as const,
])('%s may make the calls of its code, and no others', async (name, { grants }) => {
  const { template, assetFolders } = await readCloudAssembly(inject('cloudAssembly'));
  const deployed = template.functions().find(({ logicalId }) => logicalId.startsWith(name));
  const folder = assetFolders.get(deployed?.codeKey ?? '') ?? '';
  const maps = (await readdir(folder)).filter((file) => file.endsWith('.map'));
  const sources = (
    await Promise.all(maps.map((file) => readFile(join(folder, file), 'utf8')))
  ).flatMap((map): string[] => JSON.parse(map).sources);
  const ours = sources.filter((source) => /^\.\.\/(?:core|functions)\//.test(source));
  const code = await Promise.all(ours.map((file) => readFile(new URL(file, BUNDLE), 'utf8')));
  // A file can have calls that are not in the bundle, and the SDK brings some along.
  const bundled = sources.map((source) => /\/commands\/(\w+)Command\.js$/.exec(source)?.[1]);
  const calls = [...callsIn(code.join('\n'))].filter((call) => bundled.includes(call));
  const granted = new Set(namesOf(Object.values<readonly string[]>(grants).flat()));
  expect(granted).toEqual(new Set(calls));
});

test('no policy for operators allows a call that the code of the commands does not make', async () => {
  const code = ['core', 'packages/deployment', 'packages/editor', 'packages/on-call'].flatMap(
    async (room) => {
      const folder = new URL(`${room}/`, PROJECT);
      const names = (await readdir(folder, { recursive: true })).filter(
        (name) => name.endsWith('.ts') && !name.startsWith('test/'),
      );
      return Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
    },
  );
  const calls = callsIn((await Promise.all(code)).flat().join('\n'));
  const allowed = PERMISSIONS.flatMap(({ actions }) => Object.values(actions).flat());
  // SQS deletes moved messages with the permissions of the caller that starts the task.
  if (calls.has('StartMessageMoveTask')) calls.add('DeleteMessage');
  expect(namesOf(allowed).filter((call) => !calls.has(call))).toEqual([]);
});

const allowedTo = (name: (typeof OPERATOR_POLICIES)[number]) =>
  [...actionsOf(name)].flatMap(([resource, actions]) =>
    [...actions].map((action) => `${resource} ${action}`),
  );

test('a viewer writes nothing: neither to a table, nor to a queue, nor to the bus', () => {
  // Whoever receives a message hides it from the function that stores it.
  const writes = /:(?:Put|Update|Delete|Send|Receive|Change|Write|Create|Start)/;
  expect(allowedTo('Viewer').filter((action) => writes.test(action))).toEqual([]);
});

test('a viewer cannot read the token of a promo code', () => {
  const calls = allowedTo('Viewer').filter((action) => /promoEvents/i.test(action));
  expect(calls).toEqual(['listedPromoEvents dynamodb:Query']);
  const policies = Object.values(templateFor().findResources('AWS::IAM::ManagedPolicy'));
  const queries = policies.flatMap(({ Properties }) =>
    [...Properties.PolicyDocument.Statement].filter(({ Action }) => Action === 'dynamodb:Query'),
  );
  expect(queries).toHaveLength(policies.length);
  for (const { Condition } of queries) {
    expect(Condition.StringEquals).toEqual({ 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' });
    const names = Condition['ForAllValues:StringEquals']['dynamodb:Attributes'];
    expect(names).toEqual(expect.arrayContaining(['clientId', 'eventId', 'userId', 'promoCode']));
    expect(names).not.toContain('promoCodeToken');
  }
});

test('an editor changes items of the Configs table, and no version or promo event', () => {
  const more = allowedTo('Editor').filter((action) => !allowedTo('Viewer').includes(action));
  expect(more.sort()).toEqual([
    'account logs:GetQueryResults',
    'apiFunctionLogs logs:StartQuery',
    'configs dynamodb:DeleteItem',
    'configs dynamodb:UpdateItem',
  ]);
});

/** The calls behind the words of the runbook that are no commands. */
const SIGNS: readonly (readonly [words: RegExp, actions: readonly string[]])[] = [
  [/saved quer/i, ['logs logs:StartQuery', 'account logs:DescribeQueryDefinitions']],
  [/\b(?:the|access) logs?\b/i, ['logs logs:FilterLogEvents', 'account logs:DescribeLogGroups']],
  [/`blocked [A-Z]/, ['webAcl wafv2:GetSampledRequests']],
  [/log stream/, ['logs logs:DescribeLogStreams', 'logs logs:GetLogEvents']],
  [/trace in X-Ray/, ['account xray:GetTraceSummaries', 'account xray:BatchGetTraces']],
  [/dashboard/i, ['account cloudwatch:GetDashboard', 'account cloudwatch:DescribeAlarms']],
  [/`(?:Responses|BlockedRequests)`/, ['account cloudwatch:GetMetricData']],
];

const NAMES = [...new Set(PERMISSIONS.flatMap(({ commands }) => commands.map(nameOf)))].sort(
  (one, other) => other.length - one.length,
);

/** The name of a command, without options. */
function nameOf(command: string): string {
  return command.replace(/ ?--.*/, '');
}

/** The calls that a command of the runbook needs, by resource or, of the AWS CLI, on any. */
function neededBy(program: string, words: string): string[] {
  if (program === 'aws') {
    const [service, operation = ''] = words.split(' ');
    // The AWS CLI has the commands of CodeDeploy as `deploy`.
    const prefix = service === 'deploy' ? 'codedeploy' : service;
    return [`${prefix}:${operation.replace(/(?:^|-)([a-z])/g, (_, one) => one.toUpperCase())}`];
  }
  if (words.startsWith('smoke')) {
    expect(words).toContain('--without-writes');
    return [];
  }
  const name = NAMES.find((one) => one !== '' && words.startsWith(one));
  expect(name, words).toBeDefined();
  return PERMISSIONS.filter(({ commands }) =>
    commands.some((one) => one === '--stack' || nameOf(one) === name),
  ).flatMap(({ actions }) =>
    Object.entries(actions).flatMap(([resource, calls]) =>
      calls.map((call) => `${resource} ${call}`),
    ),
  );
}

const runbook = readFileSync(new URL('docs/runbook.md', PROJECT), 'utf8');
const sections = runbook.split(/^#{1,3} /m).slice(1);

test.each(sections.map((section) => [section.split('\n')[0], section] as const))(
  '%s: somebody on call may do what it says',
  (_, section) => {
    const allowed = allowedTo('OnCall');
    const isAllowed = (call: string) =>
      allowed.some((one) => one === call || one.endsWith(` ${call}`));
    const commands = section.matchAll(/(?:^ *|[`|] ?)(\.\/customer-data|aws) ([^`\n]+)/gm);
    const needed = [...commands].flatMap(([, program = '', words = '']) =>
      neededBy(program, words),
    );
    const implied = SIGNS.flatMap(([words, actions]) => (words.test(section) ? actions : []));
    expect([...needed, ...implied].filter((call) => !isAllowed(call))).toEqual([]);
  },
);

test('somebody on call may do what it says, and nothing else', () => {
  const used = sections.flatMap((section) => [
    ...SIGNS.flatMap(([words, actions]) => (words.test(section) ? actions : [])),
    ...[...section.matchAll(/(?:^ *|`)aws ([\w-]+) ([\w-]+)/gm)].flatMap(([, service, operation]) =>
      neededBy('aws', `${service} ${operation}`),
    ),
  ]);
  const unused = Object.entries(RUNBOOK_ACTIONS)
    .flatMap(([resource, actions]) => actions.map((action) => `${resource} ${action}`))
    .filter((action) => !used.some((one) => action === one || action.endsWith(` ${one}`)));
  // What the console and the commands of the AWS CLI need besides.
  expect(unused.sort()).toEqual([
    'account cloudwatch:DescribeAlarmHistory',
    'account cloudwatch:ListMetrics',
    'alarms cloudwatch:EnableAlarmActions',
    'deployments codedeploy:GetDeployment',
  ]);
  expect(
    allowedTo('OnCall').filter((one) =>
      /^(?:configVersions|stack) .*:(?:Put|Delete|Update)/.test(one),
    ),
  ).toEqual([]);
});

test('each policy contains those before it', () => {
  expect(allowedTo('Editor')).toEqual(expect.arrayContaining(allowedTo('Viewer')));
  expect(allowedTo('OnCall')).toEqual(expect.arrayContaining(allowedTo('Editor')));
});
