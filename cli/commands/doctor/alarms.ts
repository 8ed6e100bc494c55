import { paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns';
import { counted } from '../../../core/text.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { cloudWatchClient, snsClient } from './aws-clients.ts';
import type { Check } from './diagnosis.ts';
import { stackResources } from './stack-resources.ts';

/** The most names that DescribeAlarms accepts. */
const MAX_NAMES = 100;
const ALARMS = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'];

/** Alarms that reach nobody. */
export const alarms: Check = {
  name: 'alarms',
  notLocal: 'the local server has no alarms',
  run: async function* (deployment) {
    const { silent, topics } = await actionsOfAlarms(deployment);
    if (silent.length > 0) {
      const [first, ...others] = silent;
      const names =
        others.length === 0
          ? `The alarm ${first}`
          : `${first} and ${counted(others.length, 'other alarm')}`;
      const verb = others.length === 0 ? 'notifies' : 'notify';
      yield {
        status: 'problem',
        message: `${names} ${verb} nobody. Set alarmRecipients and deploy, or enable their actions.`,
      };
    }
    for (const topic of topics) {
      const confirmed = await confirmedSubscriptions(topic);
      yield confirmed > 0
        ? { status: 'ok', message: `Alarms reach ${counted(confirmed, 'recipient')} of ${topic}.` }
        : {
            status: 'problem',
            message: `Nobody has confirmed a subscription to ${topic}. Recipients must open the link in the e-mail from AWS.`,
          };
    }
  },
};

/** The alarms without an action, and the topics to which the others publish. */
async function actionsOfAlarms(
  deployment: Deployment,
): Promise<{ silent: string[]; topics: Set<string> }> {
  const names = (await stackResources(deployment))
    .filter(({ type }) => ALARMS.includes(type))
    .map(({ physicalId }) => physicalId);
  const client = cloudWatchClient(deployment.outputs.Region);
  const silent: string[] = [];
  const topics = new Set<string>();
  try {
    for (let start = 0; start < names.length; start += MAX_NAMES) {
      const pages = paginateDescribeAlarms(
        { client },
        {
          AlarmNames: names.slice(start, start + MAX_NAMES),
          AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
        },
      );
      for await (const { MetricAlarms = [], CompositeAlarms = [] } of pages) {
        for (const { AlarmName = '', ActionsEnabled, AlarmActions = [] } of [
          ...MetricAlarms,
          ...CompositeAlarms,
        ]) {
          if (!ActionsEnabled || AlarmActions.length === 0) silent.push(AlarmName);
          for (const action of AlarmActions) if (action.includes(':sns:')) topics.add(action);
        }
      }
    }
  } finally {
    client.destroy();
  }
  return { silent, topics };
}

async function confirmedSubscriptions(TopicArn: string): Promise<number> {
  const client = snsClient(TopicArn.split(':')[3] ?? '');
  let confirmed = 0;
  try {
    for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic(
      { client },
      { TopicArn },
    )) {
      confirmed += Subscriptions.filter(({ SubscriptionArn = '' }) =>
        SubscriptionArn.startsWith('arn:'),
      ).length;
    }
  } finally {
    client.destroy();
  }
  return confirmed;
}
