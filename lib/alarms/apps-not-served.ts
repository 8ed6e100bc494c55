import {
  type Alarm,
  AlarmRule,
  CompositeAlarm,
  type IAlarmAction,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { StageAlarms } from './stage-alarms.ts';

/**
 * Adds the alarm that pages: apps are not served. The others inform, because nothing is lost while somebody sleeps, or because
 * they concern a single client.
 *
 * @param failing the alarms on calls that fail, any of which means that apps are not served.
 */
export function pageIfAppsAreNotServed(
  alarms: StageAlarms,
  failing: readonly Alarm[],
  actions: readonly IAlarmAction[],
): CompositeAlarm {
  const id = 'AppsNotServed';
  const alarm = new CompositeAlarm(alarms, id, {
    compositeAlarmName: alarms.nameOf(id),
    alarmDescription: alarms.describe('Apps are not served.', 'apps-are-not-served'),
    alarmRule: AlarmRule.anyOf(...failing),
  });
  alarm.addAlarmAction(...actions);
  alarm.addOkAction(...actions);
  return alarm;
}
