import {
  Alarm,
  AlarmRule,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

/** A monitored function of the service. */
export interface MonitoredFunction {
  /** The name in the stack, such as `GetConfig`. */
  readonly name: string;
  /** The folder, which is the dimension `service` of its metrics. */
  readonly service: string;
  readonly function: IFunction;
}

/** The common properties of all alarms of a stage. */
export interface StageAlarmsProps {
  readonly stackName: string;
  readonly stage: string;
  readonly runbookUrl: string;
  readonly recipients: Recipients;
}

/** Actions when an alarm fires and when it is over. */
export interface Recipients {
  readonly page: readonly IAlarmAction[];
  readonly inform: readonly IAlarmAction[];
}

/** The definition of an alarm. */
export interface AlarmDefinition {
  readonly metric: IMetric;
  /** The alarm fires above this value. */
  readonly threshold: number;
  /** The newest periods, which decide. */
  readonly evaluationPeriods: number;
  /** How many of these periods must be above the threshold; all by default. */
  readonly datapointsToAlarm?: number;
  /** One sentence for whoever it wakes up. */
  readonly meaning: string;
  /** The anchor in the runbook, if several alarms share a section. */
  readonly section?: string;
  /** True if it is a reason for the alarm that pages, instead of informing on its own. */
  readonly isReasonToPage?: true;
  /** True if it is sent again every six hours while it is on, and not when it is over. */
  readonly isRepeated?: true;
}

/** The alarms of a stage. Names start with the stack's; descriptions link to the runbook. */
export class StageAlarms extends Construct {
  readonly #props: StageAlarmsProps;
  readonly #names: string[] = [];
  readonly #reasonsToPage: Alarm[] = [];

  constructor(scope: Construct, id: string, props: StageAlarmsProps) {
    super(scope, id);
    this.#props = props;
  }

  /** Alarm names in CloudWatch, starting with the one that pages. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Adds an alarm. */
  add(id: string, definition: AlarmDefinition): void {
    const { meaning, section, isReasonToPage, isRepeated, ...properties } = definition;
    const alarm = new Alarm(this, id, {
      ...properties,
      alarmName: this.#nameOf(id),
      alarmDescription: this.#describe(id, meaning, section),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      // Without requests there is no value, and no problem.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    this.#names.push(this.#nameOf(id));
    if (isReasonToPage) {
      this.#reasonsToPage.push(alarm);
      return;
    }
    const { inform } = this.#props.recipients;
    alarm.addAlarmAction(...inform);
    if (!isRepeated) alarm.addOkAction(...inform);
  }

  /** Adds the alarm that pages: it fires when one of the alarms that are a reason to page does. */
  addPage(id: string, meaning: string): void {
    const alarm = new CompositeAlarm(this, id, {
      compositeAlarmName: this.#nameOf(id),
      alarmDescription: this.#describe(id, meaning),
      alarmRule: AlarmRule.anyOf(...this.#reasonsToPage),
    });
    const { page } = this.#props.recipients;
    alarm.addAlarmAction(...page);
    alarm.addOkAction(...page);
    this.#names.unshift(this.#nameOf(id));
  }

  #nameOf(id: string): string {
    return `${this.#props.stackName}-${id}`;
  }

  /** Runbook sections are named after their alarms; anchors are in lower case. */
  #describe(id: string, meaning: string, section = id.toLowerCase()): string {
    const { stage, runbookUrl } = this.#props;
    return `Stage ${stage}: ${meaning} ${runbookUrl}#${section}`;
  }
}
