import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { counted } from 'customer-data-api/configuration';
import type { Deployment } from 'customer-data-api-deployment';
import { named } from 'customer-data-api-deployment';
import { type CheckResult, ok, problem } from './check-results.ts';
import { stackResources } from './gateway-logs.ts';

/** The most names that DescribeAlarms accepts. */
const MAX_NAMES = 100;

/** Finds alarms that reach nobody. */
export async function* checkAlarms(deployment: Deployment): AsyncGenerator<CheckResult> {
  const { silent, topics } = await actionsOfAlarms(deployment);
  const [first, ...others] = silent;
  if (first !== undefined) {
    const notify =
      others.length === 0
        ? `The alarm ${first} notifies`
        : `${first} and ${counted(others.length, 'other alarm')} notify`;
    yield problem(
      `${notify} nobody. Set alarmRecipients and deploy, or enable their actions.`,
      'silentAlarms',
    );
  }
  for (const topic of topics) {
    const confirmed = await confirmedSubscriptions(topic);
    yield confirmed > 0
      ? ok(`Alarms reach ${counted(confirmed, 'recipient')} of ${topic}.`)
      : problem(
          `Nobody has confirmed a subscription to ${topic}. Recipients must open the link in the e-mail from AWS.`,
          'unconfirmedSubscription',
        );
  }
}

/** The alarms without an action, and the topics to which the others publish. */
async function actionsOfAlarms(deployment: Deployment) {
  const names = (await stackResources(deployment))
    .filter(({ ResourceType = '' }) => /^AWS::CloudWatch::\w*Alarm$/.test(ResourceType))
    .map(({ PhysicalResourceId = '' }) => PhysicalResourceId);
  using client = named('cloudwatch', new CloudWatchClient({ region: deployment.outputs.Region }));
  const silent: string[] = [];
  const topics = new Set<string>();
  for (let start = 0; start < names.length; start += MAX_NAMES) {
    const AlarmNames = names.slice(start, start + MAX_NAMES);
    const pages = paginateDescribeAlarms(
      { client },
      { AlarmNames, AlarmTypes: ['MetricAlarm', 'CompositeAlarm'] },
    );
    for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages) {
      for (const alarm of [...MetricAlarms, ...CompositeAlarms]) {
        const { AlarmName = '', ActionsEnabled, AlarmActions = [] } = alarm;
        if (!ActionsEnabled || AlarmActions.length === 0) silent.push(AlarmName);
        for (const action of AlarmActions) if (action.includes(':sns:')) topics.add(action);
      }
    }
  }
  return { silent, topics };
}

async function confirmedSubscriptions(TopicArn: string): Promise<number> {
  using client = named('sns', new SNSClient({ region: TopicArn.split(':')[3] ?? '' }));
  let confirmed = 0;
  const pages = paginateListSubscriptionsByTopic({ client }, { TopicArn });
  for await (const { Subscriptions = [] } of pages) {
    for (const { SubscriptionArn } of Subscriptions) {
      if (SubscriptionArn?.startsWith('arn:')) confirmed++;
    }
  }
  return confirmed;
}
