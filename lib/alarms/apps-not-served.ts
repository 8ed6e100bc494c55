import { type Alarm, AlarmRule, CompositeAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Stage } from '../settings/stage-file.ts';
import { alarmDescription, alarmName } from './alarm.ts';

/** The alarm that pages: it fires when one of those that are a reason to page does. */
export const APPS_NOT_SERVED = 'AppsNotServed';

/** Adds the alarm that pages. */
export function addAppsNotServed(
  scope: Construct,
  stage: Stage,
  reasons: readonly Alarm[],
): CompositeAlarm {
  return new CompositeAlarm(scope, APPS_NOT_SERVED, {
    compositeAlarmName: alarmName(scope, APPS_NOT_SERVED),
    alarmDescription: alarmDescription(APPS_NOT_SERVED, stage, { meaning: 'Apps are not served.' }),
    alarmRule: AlarmRule.anyOf(...reasons),
  });
}
