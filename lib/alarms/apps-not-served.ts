import type { Alarm, IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
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
): void {
  alarms.addPage('AppsNotServed', {
    ...{ anyOf: failing, actions },
    meaning: 'Apps are not served.',
    section: 'apps-are-not-served',
  });
}
