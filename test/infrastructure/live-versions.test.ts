import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { nameOf } from '../../functions/api/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { recordConfigurationVersions } from '../../functions/record-configuration-versions/definition.ts';
import { storeQueuedPromoEvents } from '../../functions/store-queued-promo-events/definition.ts';
import { QUEUE_FUNCTION, RECORDING_FUNCTION } from '../../lib/function-names.ts';
import { readDocument } from '../support/documents/document.ts';
import { templateFor } from '../support/stack.ts';

type Template = ReturnType<typeof templateFor>;

const FOLDERS = new Map([
  ...OPERATIONS.map((operation) => [nameOf(operation), operation.folder] as const),
  [QUEUE_FUNCTION, storeQueuedPromoEvents.folder],
  [RECORDING_FUNCTION, recordConfigurationVersions.folder],
]);

/** The logical id of the only resource of a type that belongs to a function. */
function idOf(template: Template, type: string, name: string): string {
  const [id, ...others] = Object.keys(template.findResources(type)).filter((logicalId) =>
    logicalId.replace('LiveVersions', '').startsWith(name),
  );
  if (!id || others.length > 0) throw new Error(`${name} has ${others.length} more ${type}`);
  return id;
}

const versionsOf = (template: Template) =>
  Object.keys(template.findResources('AWS::Lambda::Version')).sort();

const off = templateFor();
const on = templateFor({ gradualDeployment: true });

describe.each([
  ['without', off],
  ['with', on],
])('%s gradual deployment', (_, template) => {
  test.each([...FOLDERS.keys()])('callers reach the alias live of %s', (name) => {
    const aliasId = idOf(template, 'AWS::Lambda::Alias', name);
    template.hasResourceProperties('AWS::Lambda::Alias', {
      Name: 'live',
      FunctionName: { Ref: idOf(template, 'AWS::Lambda::Function', name) },
      FunctionVersion: {
        'Fn::GetAtt': [idOf(template, 'AWS::Lambda::Version', name), 'Version'],
      },
    });
    const callers = [
      ...Object.values(template.findResources('AWS::ApiGateway::Method')).map(
        ({ Properties }) => Properties.Integration.Uri,
      ),
      ...Object.values(template.findResources('AWS::Lambda::EventSourceMapping')).map(
        ({ Properties }) => Properties.FunctionName,
      ),
    ].map((called) => JSON.stringify(called) ?? '');
    expect(callers.filter((called) => called.includes(`"Ref":"${aliasId}"`))).not.toEqual([]);
    expect(callers.join()).not.toContain(idOf(template, 'AWS::Lambda::Function', name));
  });

  test('the gateway may invoke the aliases, and nothing else', () => {
    const permissions = Object.values(template.findResources('AWS::Lambda::Permission'));
    const aliases = Object.keys(template.findResources('AWS::Lambda::Alias'));
    expect(permissions.length).toBeGreaterThan(0);
    for (const { Properties } of permissions) {
      expect(aliases).toContain(Properties.FunctionName.Ref);
    }
  });
});

test('gradual deployment is on with retainData, unless the stage says otherwise', () => {
  const groups = (settings: Record<string, unknown>) =>
    Object.keys(templateFor(settings).findResources('AWS::CodeDeploy::DeploymentGroup')).length;
  const retained = { retainData: true, alarmRecipients: 'none' };
  expect(groups(retained)).toBe(FOLDERS.size);
  expect(groups({ ...retained, gradualDeployment: false })).toBe(0);
  expect(groups({})).toBe(0);
  off.resourceCountIs('AWS::CodeDeploy::Application', 0);
});

describe.each([...FOLDERS])('a new version of %s', (name, service) => {
  const groupId = idOf(on, 'AWS::CodeDeploy::DeploymentGroup', name);
  const alarmId = idOf(on, 'AWS::CloudWatch::Alarm', `${name}FailedCalls`);

  test('gets 10 % of the calls for five minutes', () => {
    on.hasResource('AWS::Lambda::Alias', {
      Properties: { FunctionName: { Ref: idOf(on, 'AWS::Lambda::Function', name) } },
      UpdatePolicy: { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: groupId } } },
      // The alarm watches the new version before it gets calls.
      DependsOn: Match.arrayWith([alarmId]),
    });
    const group = on.findResources('AWS::CodeDeploy::DeploymentGroup')[groupId];
    const [roleId] = group?.Properties.ServiceRoleArn['Fn::GetAtt'] ?? [];
    const role = on.findResources('AWS::IAM::Role')[roleId]?.Properties;
    expect(role?.AssumeRolePolicyDocument.Statement).toMatchObject([
      { Principal: { Service: 'codedeploy.amazonaws.com' } },
    ]);
    expect(group?.Properties.DeploymentConfigName).toEqual(
      'CodeDeployDefault.LambdaCanary10Percent5Minutes',
    );
  });

  test('is rolled back when the alarm on its failed calls fires, and when the deployment fails', () => {
    const { AlarmConfiguration, AutoRollbackConfiguration } =
      on.findResources('AWS::CodeDeploy::DeploymentGroup')[groupId]?.Properties ?? {};
    expect(AlarmConfiguration).toMatchObject({
      Enabled: true,
      Alarms: [{ Name: { Ref: alarmId } }],
    });
    expect(AutoRollbackConfiguration.Events.sort()).toEqual([
      'DEPLOYMENT_FAILURE',
      'DEPLOYMENT_STOP_ON_ALARM',
      'DEPLOYMENT_STOP_ON_REQUEST',
    ]);
  });

  test('leads those who deploy to the runbook', async () => {
    const { AlarmDescription } =
      on.findResources('AWS::CloudWatch::Alarm')[alarmId]?.Properties ?? {};
    expect(AlarmDescription).toMatch(
      new RegExp(
        `^Stage test: calls of the new version of ${name} fail, and its deployment is rolled back\\. docs/runbook\\.md#a-deployment-was-rolled-back$`,
      ),
    );
    const { headings } = await readDocument('docs/runbook.md');
    expect(headings).toContain('A deployment was rolled back');
  });

  test('is judged by its own calls only: errors that it answers, and those that it cannot answer', () => {
    const Ref = idOf(on, 'AWS::Lambda::Function', name);
    const version = { 'Fn::GetAtt': [idOf(on, 'AWS::Lambda::Version', name), 'Version'] };
    const { Metrics, Threshold, TreatMissingData, EvaluationPeriods, ...alarm } =
      on.findResources('AWS::CloudWatch::Alarm')[alarmId]?.Properties ?? {};
    expect([Threshold, EvaluationPeriods, TreatMissingData]).toEqual([1, 1, 'notBreaching']);
    expect(alarm.ComparisonOperator).toBe('GreaterThanThreshold');
    expect(alarm.AlarmName).toBe(`CustomerDataApi-test-${name}FailedCalls`);
    // No recipient hears of it: those who deploy do, and other alarms watch what is deployed.
    expect(alarm.AlarmActions).toBeUndefined();
    const ofLambda = {
      FunctionName: { Ref },
      Resource: { 'Fn::Join': ['', [{ Ref }, ':live']] },
      ExecutedVersion: version,
    };
    const metrics = Metrics.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat).map(
      ({ Id, MetricStat }: { Id: string; MetricStat: StatOfAlarm }) => {
        const { Namespace, MetricName, Dimensions } = MetricStat.Metric;
        expect([MetricStat.Period, MetricStat.Stat]).toEqual([60, 'Sum']);
        const dimensions = Dimensions.map(({ Name, Value }) => [Name, Value]);
        return [Id, `${Namespace} ${MetricName}`, Object.fromEntries(dimensions)];
      },
    );
    expect(metrics.sort()).toEqual([
      ['answered', 'CustomerDataApi ServerErrors', { service, stage: 'test', version }],
      ['calls', 'AWS/Lambda Invocations', ofLambda],
      ['crashed', 'AWS/Lambda Errors', ofLambda],
      ['locked', 'CustomerDataApi ClientLockedOut', { service, stage: 'test', version }],
      ['lockedByAny', 'CustomerDataApi ClientLockedOut', { service, stage: 'test' }],
    ]);
    const [expression] = Metrics.flatMap(
      ({ Expression }: { Expression?: string }) => Expression ?? [],
    );
    // A client that the old version locks out too does not count against the new one.
    expect(expression).toBe(
      '100 * (FILL(answered, 0) + FILL(crashed, 0) + IF(FILL(lockedByAny, 0) > FILL(locked, 0), 0, FILL(locked, 0))) / calls',
    );
  });
});

interface StatOfAlarm {
  readonly Metric: {
    readonly Namespace: string;
    readonly MetricName: string;
    readonly Dimensions: readonly { readonly Name: string; readonly Value: unknown }[];
  };
  readonly Period: number;
  readonly Stat: string;
}

describe('a new version is published', () => {
  test('when the configuration of a function changes', () => {
    const changed = versionsOf(templateFor({ requestDateWindowSeconds: 600 }));
    const same = versionsOf(off).filter((id) => changed.includes(id));
    // The functions of the queue and of the history do not know that setting.
    expect(same).toEqual([
      expect.stringMatching(new RegExp(`^${RECORDING_FUNCTION}`)),
      expect.stringMatching(new RegExp(`^${QUEUE_FUNCTION}`)),
    ]);
  });

  test('but not when nothing of it changes', () => {
    const others = { tags: { team: 'loyalty' }, reservedConcurrency: { GetConfig: 5 } };
    expect(versionsOf(templateFor(others))).toEqual(versionsOf(off));
    expect(versionsOf(on)).toEqual(versionsOf(off));
  });
});

describe('provisioned concurrency', () => {
  const provisioned = (of: Template) =>
    Object.values(of.findResources('AWS::Lambda::Alias'))
      .map(({ Properties }) => Properties.ProvisionedConcurrencyConfig)
      .filter((config) => config !== undefined);

  test('costs money without a call, so no function has any by default', () => {
    expect([...provisioned(off), ...provisioned(on)]).toEqual([]);
  });

  test.each([true, false])(
    'is that of the alias that callers use; gradual deployment: %s',
    (gradualDeployment) => {
      const template = templateFor({ gradualDeployment, provisionedConcurrency: { GetConfig: 3 } });
      expect(provisioned(template)).toEqual([{ ProvisionedConcurrentExecutions: 3 }]);
      const [alias] = Object.values(template.findResources('AWS::Lambda::Alias')).filter(
        ({ Properties }) => Properties.ProvisionedConcurrencyConfig,
      );
      const Ref = idOf(template, 'AWS::Lambda::Function', 'GetConfig');
      expect(alias?.Properties).toMatchObject({ Name: 'live', FunctionName: { Ref } });
    },
  );
});
