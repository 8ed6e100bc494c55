import type { StackResourceSummary } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchClient,
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

/** Finds alarms that reach nobody. */
export async function* checkAlarms(deployment: Deployment): AsyncGenerator<CheckResult> {
  const resources = await stackResources(deployment);
  const { silent, topics, account } = await actionsOfAlarms(deployment, resources);
  if (silent.length > 0) yield result('silentAlarms', { alarms: silent });
  yield* checkRecipients(deployment, topics, { account, resources });
}

/**
 * Returns the alarms that reach nobody, and the topics to which the others publish. An alarm
 * without an action may roll a deployment back.
 */
async function actionsOfAlarms(deployment: Deployment, resources: readonly StackResourceSummary[]) {
  const ids = new Map(
    resources
      .filter(({ ResourceType }) => ResourceType === 'AWS::CloudWatch::Alarm')
      .map(({ PhysicalResourceId = '', LogicalResourceId = '' }) => [
        PhysicalResourceId,
        LogicalResourceId,
      ]),
  );
  using client = awsClient('cloudwatch', CloudWatchClient, deployment.outputs);
  const alarms: MetricAlarm[] = [];
  const known = [...ids.keys()];
  for (let start = 0; start < known.length; start += MAX_NAMES) {
    const AlarmNames = known.slice(start, start + MAX_NAMES);
    for await (const page of paginateDescribeAlarms({ client }, { AlarmNames })) {
      alarms.push(...(page.MetricAlarms ?? []));
    }
  }
  const deploying = await alarmsOfDeployments(deployment);
  const silent = alarms.filter(
    ({ AlarmName = '', ActionsEnabled, AlarmActions = [] }) =>
      !ActionsEnabled || (AlarmActions.length === 0 && !deploying.has(ids.get(AlarmName) ?? '')),
  );
  const topics = new Set(
    alarms.flatMap(({ AlarmActions = [] }) => AlarmActions.filter((one) => one.includes(':sns:'))),
  );
  const account = alarms[0]?.AlarmArn?.split(':')[4];
  const names = silent.map(({ AlarmName = '' }) => AlarmName);
  return { silent: names, topics, account };
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
