import {
  AlarmMuteRuleStatus,
  CloudWatchClient,
  GetAlarmMuteRuleCommand,
  type GetAlarmMuteRuleOutput,
  paginateListAlarmMuteRules,
  type Schedule,
} from '@aws-sdk/client-cloudwatch';
import { awsClient, type Deployment } from 'customer-data-api-deployment';
import { type CheckResult, result } from './results.ts';

/**
 * Finds alarms that a mute rule silences now. `DescribeAlarms` does not show that, so an alarm with
 * actions counts as heard there.
 */
export async function* checkMuteRules({
  stackName,
  outputs,
}: Deployment): AsyncGenerator<CheckResult> {
  using client = awsClient('cloudwatch', CloudWatchClient, outputs);
  let isMuted = false;
  for await (const rule of activeRules(client)) {
    const { Name = '', MuteTargets, Rule } = rule;
    const alarms = MuteTargets?.AlarmNames?.filter((name) => name.startsWith(`${stackName}/`));
    if (!alarms || alarms.length === 0) continue;
    isMuted = true;
    const schedule = Rule?.Schedule ?? {};
    const end = { ...schedule, until: endOf(schedule) };
    yield result('mutedAlarms', { rule: Name, alarms, end });
  }
  if (!isMuted) yield result('noMutedAlarms', {});
}

/** The rules of the account that mute now. The list has neither their alarms nor their end. */
async function* activeRules(client: CloudWatchClient): AsyncGenerator<GetAlarmMuteRuleOutput> {
  const pages = paginateListAlarmMuteRules({ client }, { Statuses: [AlarmMuteRuleStatus.ACTIVE] });
  for await (const { AlarmMuteRuleSummaries = [] } of pages) {
    for (const { AlarmMuteRuleArn = '' } of AlarmMuteRuleSummaries) {
      const [, AlarmMuteRuleName = ''] = AlarmMuteRuleArn.split(':alarm-mute-rule:');
      yield await client.send(new GetAlarmMuteRuleCommand({ AlarmMuteRuleName }));
    }
  }
}

/** The start of a window that does not recur, such as `at(2026-11-28T10:00)`. */
const ONCE = /^at\((\d{4}-\d{2}-\d{2}T\d{2}:\d{2})\)$/;
/** The length of a window, such as `P1DT2H30M`. */
const LENGTH = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/;

/** Returns the end of a window that does not recur, in its time zone; undefined for others. */
function endOf({ Expression = '', Duration = '' }: Partial<Schedule>): string | undefined {
  const [, start] = ONCE.exec(Expression) ?? [];
  const length = LENGTH.exec(Duration);
  if (!start || !length) return undefined;
  const [days = 0, hours = 0, minutes = 0] = length.slice(1).map((number) => Number(number ?? 0));
  const end = Date.parse(`${start}Z`) + ((days * 24 + hours) * 60 + minutes) * 60_000;
  return new Date(end).toISOString().slice(0, 16).replace('T', ' ');
}
