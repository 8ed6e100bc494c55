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
  /** Actions when an alarm fires and when it is over. */
  readonly actions: readonly IAlarmAction[];
}

/** The definition of an alarm. */
export interface AlarmDefinition {
  readonly metric: IMetric;
  /** The alarm fires above this value. */
  readonly threshold: number;
  /** Consecutive periods in which the metric must be above the threshold. */
  readonly evaluationPeriods: number;
  /** One sentence for whoever it wakes up. */
  readonly meaning: string;
  /** The anchor in the runbook, if several alarms share a section. */
  readonly section?: string;
}

/** The definition of the alarm that pages. */
export interface PageDefinition extends Pick<AlarmDefinition, 'meaning' | 'section'> {
  readonly anyOf: readonly Alarm[];
  /** Actions when it fires and when it is over. */
  readonly actions: readonly IAlarmAction[];
}

/** The alarms of a stage. Names start with the stack's; descriptions link to the runbook. */
export class StageAlarms extends Construct {
  readonly #props: StageAlarmsProps;
  readonly #names: string[] = [];

  constructor(scope: Construct, id: string, props: StageAlarmsProps) {
    super(scope, id);
    this.#props = props;
  }

  /** Alarm names in CloudWatch, starting with the one that pages. */
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
      // Without requests there is no value, and no problem.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const { actions } = this.#props;
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
    this.#names.push(this.#nameOf(id));
    return alarm;
  }

  /** Adds the alarm that pages: it fires when one of the given alarms does. */
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

  /** Runbook sections are named after their alarms; anchors are in lower case. */
  #describe(id: string, meaning: string, section = id.toLowerCase()): string {
    const { stage, runbookUrl } = this.#props;
    return `Stage ${stage}: ${meaning} ${runbookUrl}#${section}`;
  }
}
