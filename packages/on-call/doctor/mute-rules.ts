import {
  AlarmMuteRuleStatus,
  CloudWatchClient,
  GetAlarmMuteRuleCommand,
  type GetAlarmMuteRuleOutput,
  paginateListAlarmMuteRules,
  type Schedule,
} from '@aws-sdk/client-cloudwatch';
import { awsClient, type Deployment } from 'customer-data-api-deployment';
import { type CheckResult, firstNames, ok, problem } from './results.ts';

const HOW_MUTE_RULES_WORK =
  'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-mute-rules-behaviour.html';

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
    const until = endOf(Rule?.Schedule);
    yield {
      ...problem(
        `The mute rule ${Name} silences ${firstNames(alarms, 'other alarm')} until ${until}. An alarm that goes on in this time and is still on at its end notifies then: ${HOW_MUTE_RULES_WORK}. Delete the rule to hear it now.`,
        'mutedAlarms',
      ),
      facts: { rule: Name, alarms, until },
    };
  }
  if (!isMuted) yield ok('No mute rule silences an alarm.');
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

/** Returns the end of a window that does not recur, in its time zone, or the schedule of others. */
function endOf({ Expression = '', Duration = '', Timezone = 'UTC' }: Partial<Schedule> = {}) {
  const [, start] = ONCE.exec(Expression) ?? [];
  const length = LENGTH.exec(Duration);
  if (!start || !length) return `the end of its window (${Expression}, ${Duration}, ${Timezone})`;
  const [days = 0, hours = 0, minutes = 0] = length.slice(1).map((number) => Number(number ?? 0));
  const end = Date.parse(`${start}Z`) + ((days * 24 + hours) * 60 + minutes) * 60_000;
  return `${new Date(end).toISOString().slice(0, 16).replace('T', ' ')} (${Timezone})`;
}
