import {
  Alarm,
  ComparisonOperator,
  type IAlarmAction,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';

/** What all alarms of a stage have in common. */
export interface StageAlarmsProps {
  readonly stackName: string;
  readonly stage: string;
  /** The URL of `docs/runbook.md`. */
  readonly runbookUrl: string;
  /** What happens when an alarm goes off, and when it is over. */
  readonly actions: readonly IAlarmAction[];
}

/** What one alarm is about. */
export interface AlarmDefinition {
  readonly metric: IMetric;
  /** The alarm goes off above this value. */
  readonly threshold: number;
  /** In how many periods in a row the metric must be above it. */
  readonly evaluationPeriods: number;
  /** In one sentence, for those who are woken by it. */
  readonly meaning: string;
  /** The anchor of its section in the runbook. */
  readonly section: string;
}

/** The alarms of a stage. Their names start with the stack's, and their descriptions lead to the runbook. */
export class StageAlarms extends Construct {
  readonly #props: StageAlarmsProps;
  readonly #all: Alarm[] = [];

  constructor(scope: Construct, id: string, props: StageAlarmsProps) {
    super(scope, id);
    this.#props = props;
  }

  /** All alarms that were added, in that order. */
  get all(): readonly Alarm[] {
    return this.#all;
  }

  /** Adds an alarm. It informs its recipients when it goes off and when it is over. */
  add(id: string, { meaning, section, ...definition }: AlarmDefinition): Alarm {
    const alarm = new Alarm(this, id, {
      ...definition,
      alarmName: this.nameOf(id),
      alarmDescription: this.describe(meaning, section),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      // Without requests there is no value, and nothing is wrong.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const { actions } = this.#props;
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
    this.#all.push(alarm);
    return alarm;
  }

  /** The name of an alarm in CloudWatch. */
  nameOf(id: string): string {
    return `${this.#props.stackName}-${id}`;
  }

  /** The description of an alarm: its stage, its meaning and the URL of its section in the runbook. */
  describe(meaning: string, section: string): string {
    const { stage, runbookUrl } = this.#props;
    return `Stage ${stage}: ${meaning} ${runbookUrl}#${section}`;
  }
}
