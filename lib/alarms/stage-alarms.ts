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

/** A function of the service, as alarms and graphs see it. */
export interface MonitoredFunction {
  /** Its name in the stack, such as `GetConfig`. */
  readonly name: string;
  /** Its folder, which is the dimension `service` of its metrics. */
  readonly service: string;
  readonly function: IFunction;
}

/** What all alarms of a stage have in common. */
export interface StageAlarmsProps {
  readonly stackName: string;
  readonly stage: string;
  /** The URL of `docs/runbook.md`. */
  readonly runbookUrl: string;
  /** What happens when an alarm fires, and when it is over. */
  readonly actions: readonly IAlarmAction[];
}

/** What one alarm is about. */
export interface AlarmDefinition {
  readonly metric: IMetric;
  /** The alarm fires above this value. */
  readonly threshold: number;
  /** In how many periods in a row the metric must be above it. */
  readonly evaluationPeriods: number;
  /** In one sentence, for those who are woken by it. */
  readonly meaning: string;
  /** The anchor of its section in the runbook, if it shares the section with others. */
  readonly section?: string;
}

/** What the alarm that pages is about. */
export interface PageDefinition extends Pick<AlarmDefinition, 'meaning' | 'section'> {
  readonly anyOf: readonly Alarm[];
  /** What happens when it fires, and when it is over. */
  readonly actions: readonly IAlarmAction[];
}

/**
 * The alarms of a stage. Their names start with the stack's, and their descriptions lead to the
 * runbook.
 */
export class StageAlarms extends Construct {
  readonly #props: StageAlarmsProps;
  readonly #names: string[] = [];

  constructor(scope: Construct, id: string, props: StageAlarmsProps) {
    super(scope, id);
    this.#props = props;
  }

  /** The names of all alarms in CloudWatch: first the one that pages. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Adds an alarm. It informs its recipients when it fires and when it is over. */
  add(id: string, { meaning, section, ...definition }: AlarmDefinition): Alarm {
    const alarm = new Alarm(this, id, {
      ...definition,
      alarmName: this.#nameOf(id),
      alarmDescription: this.#describe(id, meaning, section),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      // Without requests there is no value, and nothing is wrong.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const { actions } = this.#props;
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
    this.#names.push(this.#nameOf(id));
    return alarm;
  }

  /** Adds the alarm that pages: it fires when one of some others does. */
  addPage(id: string, { meaning, section, anyOf, actions }: PageDefinition): void {
    const alarm = new CompositeAlarm(this, id, {
      compositeAlarmName: this.#nameOf(id),
      alarmDescription: this.#describe(id, meaning, section),
      alarmRule: AlarmRule.anyOf(...anyOf),
    });
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
    this.#names.unshift(this.#nameOf(id));
  }

  #nameOf(id: string): string {
    return `${this.#props.stackName}-${id}`;
  }

  /** A section bears the name of its alarm, and an anchor has small letters only. */
  #describe(id: string, meaning: string, section = id.toLowerCase()): string {
    const { stage, runbookUrl } = this.#props;
    return `Stage ${stage}: ${meaning} ${runbookUrl}#${section}`;
  }
}
