import type { Alarm, AlarmBase, IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { type AlarmDefinitions, addAlarm, alarmName } from './alarm.ts';
import { APPS_NOT_SERVED, addAppsNotServed } from './apps-not-served.ts';
import { callAlarms, heartbeatAlarms, refusalAlarms, unservedCallAlarms } from './calls.ts';
import { capacityAlarms } from './capacity.ts';
import { clientAlarms } from './clients.ts';
import type { Monitored } from './monitored.ts';
import { promoEventAlarms } from './promo-events.ts';
import { AlarmRecipients, Budget } from './recipients.ts';

/** All alarms of a stage. The runbook has a section for each. */
export class Alarms extends Construct {
  /** Alarm names in CloudWatch, starting with the one that pages. */
  readonly names: readonly string[];

  constructor(scope: Construct, id: string, monitored: Monitored) {
    super(scope, id);
    const { stage } = monitored;
    const { page, inform, informTopic } = new AlarmRecipients(this, 'Recipients', stage.settings);
    const alarms = new Construct(this, 'Stage');
    const definitions: AlarmDefinitions = {
      ...callAlarms(monitored),
      ...capacityAlarms(monitored),
      ...refusalAlarms(monitored),
      ...unservedCallAlarms(monitored),
      ...heartbeatAlarms(monitored),
      ...clientAlarms(monitored),
      ...promoEventAlarms(monitored),
    };
    const reasonsToPage: Alarm[] = [];
    for (const [alarmId, definition] of Object.entries(definitions)) {
      const alarm = addAlarm(alarms, alarmId, stage, definition);
      if (definition.pagesWithoutData) alarm.addInsufficientDataAction(...page);
      if (definition.isReasonToPage) {
        reasonsToPage.push(alarm);
        continue;
      }
      if (definition.pages) notify(alarm, page);
      // Not when it is over: a new alarm has no state, and its first one would be a message.
      else alarm.addAlarmAction(...inform);
    }
    notify(addAppsNotServed(alarms, stage, reasonsToPage), page);
    this.names = [APPS_NOT_SERVED, ...Object.keys(definitions)].map((alarmId) =>
      alarmName(this, alarmId),
    );
    new Budget(this, 'Budget', stage.settings, informTopic);
  }
}

/** Sends an alarm to those who act at once: when it goes on, and when it is over. */
function notify(alarm: AlarmBase, recipients: readonly IAlarmAction[]): void {
  alarm.addAlarmAction(...recipients);
  alarm.addOkAction(...recipients);
}
