import type { StackResourceSummary } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
  type CompositeAlarm,
  type MetricAlarm,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import { awsClient, type Deployment, sqsClient } from 'customer-data-api-deployment';
import { isLocal, type Outputs } from 'customer-data-api-deployment/outputs';
import { SqsQueue } from '../promo-events/sqs-queue.ts';
import { stackResources } from './account.ts';
import { checkClients, checkRevokedAppIds } from './client-results.ts';
import { checkMuteRules } from './mute-rules.ts';
import { checkRecipients } from './recipients.ts';
import { type CheckResult, type Checks, type NamedResult, result, runChecks } from './results.ts';
import { templateResources } from './template.ts';

/** Checks a deployment. `progress` receives how many clients were checked so far. */
export function checkDeployment(
  deployment: Deployment,
  progress: (done: number) => void,
): AsyncGenerator<NamedResult> {
  const { outputs } = deployment;
  const ofAccount: Checks = {
    alarms: () => checkAlarms(deployment),
    'mute rules': () => checkMuteRules(deployment),
  };
  return runChecks({
    ...(isLocal(outputs) ? {} : ofAccount),
    queues: () => checkQueues(outputs),
    clients: () => checkClients(deployment, progress),
    'revoked keys': () => checkRevokedAppIds(deployment),
  });
}

/** The most names that DescribeAlarms accepts. */
const MAX_NAMES = 100;

type Alarm = MetricAlarm | CompositeAlarm;

/** Finds alarms that reach nobody. */
export async function* checkAlarms(deployment: Deployment): AsyncGenerator<CheckResult> {
  const resources = await stackResources(deployment);
  const { silent, topics, account } = await actionsOfAlarms(deployment, resources);
  if (silent.length > 0) yield result('silentAlarms', { alarms: silent });
  yield* checkRecipients(deployment, topics, { account, resources });
}

/**
 * The alarms that reach nobody, and the topics to which the others publish. An alarm without an
 * action reaches somebody through a composite alarm that watches it, or rolls a deployment back.
 */
async function actionsOfAlarms(deployment: Deployment, resources: readonly StackResourceSummary[]) {
  const ids = new Map(
    resources
      .filter(({ ResourceType = '' }) => /^AWS::CloudWatch::\w*Alarm$/.test(ResourceType))
      .map(({ PhysicalResourceId = '', LogicalResourceId = '' }) => [
        PhysicalResourceId,
        LogicalResourceId,
      ]),
  );
  using client = awsClient('cloudwatch', CloudWatchClient, deployment.outputs);
  const alarms: Alarm[] = [];
  const known = [...ids.keys()];
  for (let start = 0; start < known.length; start += MAX_NAMES) {
    const AlarmNames = known.slice(start, start + MAX_NAMES);
    for await (const alarm of describeAlarms(client, { AlarmNames })) alarms.push(alarm);
  }
  const withoutActions = alarms.filter((alarm) => !acts(alarm));
  let silent = withoutActions.filter(({ ActionsEnabled }) => !ActionsEnabled);
  if (silent.length < withoutActions.length) {
    const heard = await watchedByComposites(client);
    const deploying = await alarmsOfDeployments(deployment);
    silent = withoutActions.filter(
      ({ AlarmName = '', ActionsEnabled }) =>
        !ActionsEnabled || !(heard.has(AlarmName) || deploying.has(ids.get(AlarmName) ?? '')),
    );
  }
  const topics = new Set(
    alarms.flatMap(({ AlarmActions = [] }) => AlarmActions.filter((one) => one.includes(':sns:'))),
  );
  const account = alarms[0]?.AlarmArn?.split(':')[4];
  const names = silent.map(({ AlarmName = '' }) => AlarmName);
  return { silent: names, topics, account };
}

const acts = ({ ActionsEnabled, AlarmActions = [] }: Alarm) =>
  ActionsEnabled === true && AlarmActions.length > 0;

async function* describeAlarms(
  client: CloudWatchClient,
  names: { readonly AlarmNames?: string[] },
): AsyncGenerator<Alarm> {
  const pages = paginateDescribeAlarms(
    { client },
    // Without names, only composite alarms: an account can have thousands of others.
    {
      ...names,
      AlarmTypes: names.AlarmNames ? ['MetricAlarm', 'CompositeAlarm'] : ['CompositeAlarm'],
    },
  );
  for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages) {
    yield* MetricAlarms;
    yield* CompositeAlarms;
  }
}

/**
 * The names of the alarms in the rules of composite alarms that act, also through others. A team
 * may have composite alarms of its own, in other stacks.
 */
async function watchedByComposites(client: CloudWatchClient): Promise<ReadonlySet<string>> {
  const composites: CompositeAlarm[] = [];
  for await (const alarm of describeAlarms(client, {})) composites.push(alarm);
  const watched = new Set<string>();
  const isHeard = (alarm: CompositeAlarm) => acts(alarm) || watched.has(alarm.AlarmName ?? '');
  for (let size = -1; watched.size > size; ) {
    size = watched.size;
    for (const { AlarmRule = '' } of composites.filter(isHeard)) {
      for (const name of namesIn(AlarmRule)) watched.add(name);
    }
  }
  return watched;
}

/**
 * The alarms in a rule, such as `ALARM("name") OR ALARM(arn:aws:cloudwatch:…:alarm:name)`:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
 */
function namesIn(rule: string): string[] {
  const states = /\b(?:ALARM|OK|INSUFFICIENT_DATA)\s*\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*?))\s*\)/g;
  return [...rule.matchAll(states)].map(([, double, single, bare = '']) =>
    (double ?? single ?? bare).replace(/^arn:[^:]*:cloudwatch:[^:]*:[^:]*:alarm:/, ''),
  );
}

/** The part of a deployment group that is read. */
interface DeploymentGroup {
  readonly AlarmConfiguration: {
    readonly Enabled?: boolean;
    readonly Alarms?: readonly { readonly Name?: { readonly Ref?: string } }[];
  };
}

/** The logical ids of the alarms that roll gradual deployments back. */
async function alarmsOfDeployments(deployment: Deployment): Promise<ReadonlySet<string>> {
  const groups = await templateResources<DeploymentGroup>(
    deployment,
    'AWS::CodeDeploy::DeploymentGroup',
  );
  return new Set(
    groups.flatMap(([, { AlarmConfiguration }]) => {
      const { Enabled = true, Alarms = [] } = AlarmConfiguration ?? {};
      return Enabled ? Alarms.map(({ Name }) => Name?.Ref ?? '') : [];
    }),
  );
}

/** Finds promo events that were not stored or published, and changes that were not recorded. */
async function* checkQueues(outputs: Outputs): AsyncGenerator<CheckResult> {
  using sqs = sqsClient(outputs);
  const lengthOf = (queueUrl: string) => new SqsQueue(sqs, queueUrl).length();
  const dead = await lengthOf(outputs.PromoEventsDeadLetterQueueUrl);
  const unpublished = await lengthOf(outputs.PromoEventsBusDeadLetterQueueUrl);
  const unrecorded = await lengthOf(outputs.ConfigVersionsDeadLetterQueueUrl);
  const waiting = await lengthOf(outputs.PromoEventsQueueUrl);
  if (dead > 0) yield result('deadLetters', { messages: dead });
  if (unpublished > 0) yield result('unpublished', { events: unpublished });
  if (unrecorded > 0) yield result('unrecorded', { letters: unrecorded });
  if (waiting > 0) yield result('waiting', { waiting });
  if (dead + unpublished + unrecorded === 0) yield result('noDeadLetters', {});
}
