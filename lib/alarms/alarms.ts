import { Construct } from 'constructs';
import { type AlarmDefinitions, addAlarm, alarmName } from './alarm.ts';
import { callAlarms, heartbeatAlarms, rateLimitAlarms, unservedCallAlarms } from './calls.ts';
import { capacityAlarms } from './capacity.ts';
import { clientAlarms } from './clients.ts';
import { lossAlarms } from './losses.ts';
import type { Monitored } from './monitored.ts';
import { promoEventAlarms } from './promo-events.ts';
import { AlarmRecipients } from './recipients.ts';

/**
 * All alarms of a stage. The runbook has a section for each. Each notifies by itself, so that none
 * hides another.
 */
export class Alarms extends Construct {
  /** Alarm names in CloudWatch. */
  readonly names: readonly string[];

  constructor(scope: Construct, id: string, monitored: Monitored) {
    super(scope, id);
    const { stage } = monitored;
    const { page, inform } = new AlarmRecipients(this, 'Recipients', stage.settings);
    const alarms = new Construct(this, 'Stage');
    const definitions: AlarmDefinitions = {
      ...callAlarms(monitored),
      ...capacityAlarms(monitored),
      ...unservedCallAlarms(monitored),
      ...lossAlarms(monitored),
      ...rateLimitAlarms(monitored),
      ...heartbeatAlarms(monitored),
      ...clientAlarms(monitored),
      ...promoEventAlarms(monitored),
    };
    for (const [alarmId, definition] of Object.entries(definitions)) {
      const alarm = addAlarm(alarms, alarmId, stage, definition);
      if (definition.pagesWithoutData) alarm.addInsufficientDataAction(...page);
      alarm.addAlarmAction(...(definition.pages ? page : inform));
      // Not of the others: a new alarm has no state, and its first one would be a message.
      if (definition.pages) alarm.addOkAction(...page);
    }
    this.names = Object.keys(definitions).map((alarmId) => alarmName(this, alarmId));
  }
}
