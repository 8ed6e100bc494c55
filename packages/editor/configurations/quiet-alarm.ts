import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { awsClient, type Deployment } from 'customer-data-api-deployment';
import { isLocal } from 'customer-data-api-deployment/outputs';
import { UserError } from 'customer-data-api-deployment/program';

/**
 * Checks, before a candidate reaches more devices, that an alarm which the operator names is off.
 *
 * @throws UserError if it is on, its actions are disabled or there is none with this name.
 * @throws the AWS SDK's errors if it cannot be read.
 */
export async function expectQuietAlarm({ outputs }: Deployment, name: string): Promise<void> {
  if (isLocal(outputs)) {
    throw refusal('The local server has no alarms. Try them on a deployment in AWS.');
  }
  using client = awsClient('cloudwatch', CloudWatchClient, outputs);
  const { MetricAlarms = [], CompositeAlarms = [] } = await client.send(
    new DescribeAlarmsCommand({
      AlarmNames: [name],
      AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
    }),
  );
  const [alarm] = [...MetricAlarms, ...CompositeAlarms];
  if (!alarm) throw refusal(`There is no alarm ${name}.`);
  if (alarm.StateValue === 'ALARM') throw refusal(`The alarm ${name} is on.`);
  if (!alarm.ActionsEnabled) throw refusal(`The actions of the alarm ${name} are disabled.`);
}

function refusal(message: string): UserError {
  return new UserError(message, 'rolloutAlarm');
}
