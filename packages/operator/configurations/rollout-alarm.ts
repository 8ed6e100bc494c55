import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { awsClient, type Deployment } from 'customer-data-api-deployment';
import { UserError } from 'customer-data-api-deployment/program';
import { readExistingClient, updateClient } from '../clients/configs-table.ts';
import { StoppedAtStart } from '../errors.ts';
import { type Plan, startedBy } from './plan-change.ts';
import { NO_ROLLOUT } from './rollouts.ts';
import type { ConfigurationTables } from './stored-configuration.ts';

/** An alarm that should stop a rollout. */
interface AlarmState {
  /** Why it cannot, in a sentence. */
  readonly problem?: string | undefined;
  /** That it has no data, in a sentence. */
  readonly remark?: string | undefined;
}

/**
 * Checks, before a candidate reaches more devices, that the alarm of its rollout watches, is off
 * and can stop it; and that another one, which the operator names, watches and is off.
 *
 * @returns remarks on alarms without data.
 * @throws UserError if an alarm is on, its actions are disabled or there is none with this name, or
 *   the setting `rolloutAlarms` does not name that of the rollout.
 * @throws the AWS SDK's errors if one cannot be read.
 */
export async function expectQuietAlarms(
  deployment: Deployment,
  { step, before }: Pick<Plan, 'step' | 'before'>,
  unlessAlarm?: string,
): Promise<string[]> {
  const started = startedBy(step);
  const finishes = step.kind === 'publish' && step.ends === 'finish';
  const { alarm } = started ?? (finishes ? before.rollout : undefined) ?? {};
  const problem = started && alarm !== undefined ? notInSetting(deployment, alarm) : undefined;
  if (problem !== undefined) throw new UserError(problem, 'rolloutAlarm');
  const remarks: string[] = [];
  for (const name of new Set([alarm, unlessAlarm])) {
    if (name !== undefined) remarks.push(...(await expectQuietAlarm(deployment, name)));
  }
  return remarks;
}

/**
 * Waits for the version of a change. If that starts or widens a rollout, it looks at the alarm
 * before and after, because its event can come before the rollout, or before the index has it.
 *
 * @param wait may fail: the history can be behind.
 * @throws StoppedAtStart if the alarm is not quiet any more, or cannot be read: then the rollout
 *   was stopped.
 */
export async function waitWhileQuiet<T>(
  tables: ConfigurationTables,
  deployment: Deployment,
  { step, before: { clientId } }: Plan,
  by: string,
  wait: () => Promise<T>,
): Promise<T> {
  const { id: rolloutId, alarm } = startedBy(step) ?? {};
  if (rolloutId === undefined || alarm === undefined) return wait();
  const look = async () => {
    try {
      await expectQuietAlarm(deployment, alarm);
    } catch {
      const change = { by, message: 'Stop: the alarm went on during the start' };
      const before = await readExistingClient(tables, clientId);
      await updateClient(tables, clientId, change, { before, set: NO_ROLLOUT, rolloutId });
      throw new StoppedAtStart(clientId, alarm);
    }
  };
  await look();
  // The error of the look comes before that of the wait.
  return wait().finally(look);
}

async function expectQuietAlarm(deployment: Deployment, alarm: string): Promise<string[]> {
  const { problem, remark } = await readAlarm(deployment, alarm);
  if (problem !== undefined) throw new UserError(problem, 'rolloutAlarm');
  return remark === undefined ? [] : [remark];
}

/**
 * Tells whether the alarm of a rollout that runs can stop it.
 *
 * @throws the AWS SDK's errors if the alarm cannot be read.
 */
export async function alarmOf(deployment: Deployment, alarm: string): Promise<AlarmState> {
  const problem = notInSetting(deployment, alarm);
  return problem === undefined ? readAlarm(deployment, alarm) : { problem };
}

const NO_ALARMS = 'The local server has no alarms. Try them on a deployment in AWS.';

function notInSetting({ outputs, stackName }: Deployment, alarm: string): string | undefined {
  if (outputs.JwksUri !== undefined) return NO_ALARMS;
  const { RolloutAlarms = '' } = outputs;
  if (RolloutAlarms.split(',').includes(alarm)) return undefined;
  return `${alarm} stops no rollouts in ${stackName}. Add it to the setting rolloutAlarms, and deploy.`;
}

async function readAlarm({ outputs }: Deployment, alarm: string): Promise<AlarmState> {
  if (outputs.JwksUri !== undefined) return { problem: NO_ALARMS };
  using client = awsClient('cloudwatch', CloudWatchClient, outputs);
  const { MetricAlarms = [], CompositeAlarms = [] } = await client.send(
    new DescribeAlarmsCommand({
      AlarmNames: [alarm],
      AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
    }),
  );
  const [found] = [...MetricAlarms, ...CompositeAlarms];
  if (!found) return { problem: `There is no alarm ${alarm}.` };
  if (found.StateValue === 'ALARM') return { problem: `The alarm ${alarm} is on.` };
  if (!found.ActionsEnabled) {
    return { problem: `The actions of the alarm ${alarm} are disabled.` };
  }
  return found.StateValue === 'INSUFFICIENT_DATA'
    ? { remark: `The alarm ${alarm} has no data: it goes on only once its metric has some.` }
    : {};
}
