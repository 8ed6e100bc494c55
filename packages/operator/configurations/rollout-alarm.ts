import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { type Deployment, named } from 'customer-data-api-deployment';
import { UsageError, UserError } from 'customer-data-api-deployment/program';
import type { Plan } from './plan-change.ts';
import { discardCandidate, type NewRollout, readRunning } from './rollouts.ts';
import type { ConfigurationTables } from './stored-configuration.ts';

/**
 * Checks that an alarm can stop a rollout of a deployment.
 *
 * @throws UserError if the setting `rolloutAlarms` does not name it, or it is not quiet.
 */
export async function expectStoppingAlarm(deployment: Deployment, alarm: string): Promise<void> {
  const { RolloutAlarms = '' } = deployment.outputs;
  if (!RolloutAlarms.split(',').includes(alarm)) {
    throw new UserError(
      `${alarm} stops no rollouts in ${deployment.stackName}. Add it to the setting rolloutAlarms, and deploy.`,
      'rolloutAlarm',
    );
  }
  await expectQuietAlarm(deployment, alarm);
}

/**
 * Stops a rollout whose alarm went on while it started: the alarm's event came before the rollout.
 *
 * @throws UserError if it is not off any more, or cannot be read again.
 */
export async function expectStillQuiet(
  tables: ConfigurationTables,
  deployment: Deployment,
  { before: { clientId }, starts }: Plan,
  by: string,
): Promise<void> {
  if (starts?.alarm === undefined) return;
  try {
    await expectQuietAlarm(deployment, starts.alarm);
  } catch {
    const reason = { by, message: 'Stop: the alarm went on during the start' };
    await discardCandidate(tables, await readRunning(tables, clientId), reason);
    throw new UserError(
      `The alarm ${starts.alarm} is not quiet any more: the rollout was stopped again.`,
      'rolloutAlarm',
    );
  }
}

/** Checks that a share is larger than that of a rollout, whose alarm is quiet. */
export async function expectWidenable(
  deployment: Deployment,
  { percent: now, alarm }: NewRollout,
  percent: number,
): Promise<void> {
  if (percent <= now) {
    throw new UsageError(`The rollout runs at ${now} %. Name a larger share, or stop it.`);
  }
  if (alarm !== undefined) await expectStoppingAlarm(deployment, alarm);
}

/**
 * Checks that an alarm watches, and is off.
 *
 * @throws UserError if it is on, its actions are disabled or there is none with this name.
 * @throws the AWS SDK's errors if it cannot be read.
 */
export async function expectQuietAlarm(
  { outputs: { Region } }: Deployment,
  alarm: string,
): Promise<void> {
  using client = named('cloudwatch', new CloudWatchClient({ region: Region }));
  const { MetricAlarms = [], CompositeAlarms = [] } = await client.send(
    new DescribeAlarmsCommand({
      AlarmNames: [alarm],
      AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
    }),
  );
  const [found] = [...MetricAlarms, ...CompositeAlarms];
  const refuse = (why: string) => new UserError(`${why} Nothing was changed.`, 'rolloutAlarm');
  if (!found) throw refuse(`There is no alarm ${alarm}.`);
  if (found.StateValue === 'ALARM') throw refuse(`The alarm ${alarm} is on.`);
  if (!found.ActionsEnabled) throw refuse(`The actions of the alarm ${alarm} are disabled.`);
}
