import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { type Deployment, named } from 'customer-data-api-deployment';
import { UserError } from 'customer-data-api-deployment/program';
import type { Plan } from './plan-change.ts';
import { discardCandidate, rolloutIn } from './rollouts.ts';
import { type ConfigurationTables, readStored } from './stored-configuration.ts';

/**
 * Checks, before a candidate reaches more devices, that the alarm of its rollout watches, is off
 * and can stop it; and that another one, which the operator names, watches and is off.
 *
 * @throws UserError if an alarm is on, its actions are disabled or there is none with this name, or
 *   the setting `rolloutAlarms` does not name that of the rollout.
 * @throws the AWS SDK's errors if one cannot be read.
 */
export async function expectQuietAlarms(
  deployment: Deployment,
  { before, starts, ends }: Pick<Plan, 'before' | 'starts' | 'ends'>,
  unlessAlarm?: string,
): Promise<void> {
  const { RolloutAlarms = '' } = deployment.outputs;
  const { alarm } = starts ?? (ends === 'finish' ? rolloutIn(before.rollout) : undefined) ?? {};
  if (starts && alarm !== undefined && !RolloutAlarms.split(',').includes(alarm)) {
    throw new UserError(
      `${alarm} stops no rollouts in ${deployment.stackName}. Add it to the setting rolloutAlarms, and deploy.`,
      'rolloutAlarm',
    );
  }
  for (const name of new Set([alarm, unlessAlarm])) {
    if (name !== undefined) await expectQuietAlarm(deployment, name);
  }
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
    const live = await readStored(tables, clientId);
    if (live.rollout) await discardCandidate(tables, live, reason);
    throw new UserError(
      `The alarm ${starts.alarm} is not quiet any more: the rollout was stopped again.`,
      'rolloutAlarm',
    );
  }
}

async function expectQuietAlarm({ outputs: { Region } }: Deployment, alarm: string): Promise<void> {
  using client = named('cloudwatch', new CloudWatchClient({ region: Region }));
  const { MetricAlarms = [], CompositeAlarms = [] } = await client.send(
    new DescribeAlarmsCommand({
      AlarmNames: [alarm],
      AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
    }),
  );
  const [found] = [...MetricAlarms, ...CompositeAlarms];
  const refuse = (why: string) => new UserError(why, 'rolloutAlarm');
  if (!found) throw refuse(`There is no alarm ${alarm}.`);
  if (found.StateValue === 'ALARM') throw refuse(`The alarm ${alarm} is on.`);
  if (!found.ActionsEnabled) throw refuse(`The actions of the alarm ${alarm} are disabled.`);
}
