import { Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { AlarmRecipients } from './alarm-recipients.ts';
import {
  alarmOnGateway,
  alarmOnOperation,
  alarmOnRefusals,
  alarmOnUnservedCalls,
  pageIfAppsAreNotServed,
} from './calls.ts';
import { alarmOnFunctions, alarmOnTables, type MonitoredTables } from './capacity.ts';
import { alarmOnClients, alarmOnConfigurationHistory, type MonitoredHistory } from './clients.ts';
import {
  alarmOnPipe,
  alarmOnPromoEvents,
  type MonitoredPipe,
  type MonitoredQueue,
} from './promo-events.ts';
import { type MonitoredFunction, StageAlarms } from './stage-alarms.ts';

/** The parts of the stack that alarms and graphs monitor. */
export interface Monitored {
  readonly settings: Settings;
  readonly stageName: string;
  readonly api: Stage;
  /** The functions of the operations. */
  readonly operations: readonly MonitoredFunction[];
  readonly promoEventsQueue: MonitoredQueue;
  readonly configurationHistory: MonitoredHistory;
  readonly tables: MonitoredTables;
  readonly pipe: MonitoredPipe;
}

/** All alarms of a stage. The runbook has a section for each. */
export class Alarms extends Construct {
  /** Alarm names, starting with the one that pages. */
  readonly names: readonly string[];

  constructor(scope: Construct, id: string, monitored: Monitored) {
    super(scope, id);
    const { settings, stageName, operations, promoEventsQueue, configurationHistory, pipe } =
      monitored;
    const recipients = new AlarmRecipients(this, 'Recipients', settings);
    const alarms = new StageAlarms(this, 'Stage', {
      stackName: Stack.of(this).stackName,
      stage: stageName,
      runbookUrl: settings.runbookUrl,
      actions: recipients.inform,
    });
    const services = operations.map(({ service }) => service);
    const functions = [...operations, promoEventsQueue.consumer, configurationHistory.recorder];
    const failing = [
      ...operations.map((operation) => alarmOnOperation(alarms, stageName, operation)),
      alarmOnGateway(alarms, monitored.api),
    ];
    pageIfAppsAreNotServed(alarms, failing, recipients.page);
    alarmOnFunctions(alarms, functions, settings.reservedConcurrency);
    alarmOnTables(alarms, monitored.tables);
    alarmOnRefusals(alarms, stageName, operations);
    alarmOnUnservedCalls(alarms, stageName, { api: monitored.api, services });
    alarmOnClients(alarms, stageName, services);
    alarmOnConfigurationHistory(alarms, stageName, configurationHistory);
    alarmOnPromoEvents(alarms, stageName, promoEventsQueue);
    alarmOnPipe(alarms, stageName, pipe);
    this.names = alarms.names;
  }
}
