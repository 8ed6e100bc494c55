import { Stack } from 'aws-cdk-lib';
import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Settings } from '../settings/settings.ts';
import { AlarmRecipients } from './alarm-recipients.ts';
import { Budget } from './budget.ts';
import {
  alarmOnGateway,
  alarmOnOperation,
  alarmOnRefusals,
  alarmOnUnservedCalls,
} from './calls.ts';
import {
  alarmOnCertificate,
  alarmOnFunctions,
  alarmOnTables,
  type MonitoredTables,
} from './capacity.ts';
import { alarmOnClients, alarmOnConfigurationHistory, type MonitoredHistory } from './clients.ts';
import { alarmOnHeartbeat } from './heartbeat.ts';
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
  /** The calls that the web ACL blocks as the settings say, by a name for each rule. */
  readonly blocked: Readonly<Record<string, IMetric>>;
  /** The functions of the operations. */
  readonly operations: readonly MonitoredFunction[];
  readonly promoEventsQueue: MonitoredQueue;
  readonly configurationHistory: MonitoredHistory;
  readonly tables: MonitoredTables;
  readonly pipe: MonitoredPipe;
  readonly heartbeat: IFunction | undefined;
}

/** All alarms of a stage. The runbook has a section for each. */
export class Alarms extends Construct {
  /** Alarm names, starting with the one that pages. */
  readonly names: readonly string[];

  constructor(scope: Construct, id: string, monitored: Monitored) {
    super(scope, id);
    const { settings, stageName, operations, promoEventsQueue, configurationHistory, pipe } =
      monitored;
    const alarms = new StageAlarms(this, 'Stage', {
      stackName: Stack.of(this).stackName,
      stage: stageName,
      runbookUrl: settings.runbookUrl,
      recipients: new AlarmRecipients(this, 'Recipients', settings),
    });
    const services = operations.map(({ service }) => service);
    const functions = [...operations, promoEventsQueue.consumer, configurationHistory.recorder];
    for (const operation of operations) alarmOnOperation(alarms, stageName, operation);
    alarmOnGateway(alarms, monitored.api);
    alarmOnFunctions(alarms, functions, settings.reservedConcurrency);
    alarmOnTables(alarms, monitored.tables);
    if (settings.customDomain) alarmOnCertificate(alarms, settings.customDomain.certificateArn);
    alarmOnRefusals(alarms, stageName, services);
    alarmOnUnservedCalls(alarms, stageName, { ...monitored, services });
    if (monitored.heartbeat) alarmOnHeartbeat(alarms, monitored.heartbeat);
    alarmOnClients(alarms, stageName, services);
    alarmOnConfigurationHistory(alarms, stageName, configurationHistory);
    alarmOnPromoEvents(alarms, stageName, promoEventsQueue);
    alarmOnPipe(alarms, stageName, pipe);
    alarms.addPage('AppsNotServed', 'Apps are not served.');
    this.names = alarms.names;
    new Budget(this, 'Budget', settings);
  }
}
