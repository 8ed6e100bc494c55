import { Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Stage } from '../settings/stage-file.ts';

/** The definition of an alarm. */
export interface AlarmDefinition {
  readonly metric: IMetric;
  /** The alarm fires above this value; default: 0. */
  readonly threshold?: number;
  /** The newest periods, which decide; default: 1. */
  readonly evaluationPeriods?: number;
  /** The number of these periods that must be above the threshold; all by default. */
  readonly datapointsToAlarm?: number;
  /** One sentence for whoever it wakes up. */
  readonly meaning: string;
  /** The anchor in the runbook, if several alarms share a section. */
  readonly section?: string;
  /** The alarm's name in CloudWatch; by default, it is made of the stack and the id. */
  readonly name?: string;
  /** True if it pages, because someone must act at once; the others inform. */
  readonly pages?: true;
  /**
   * True if it also pages when its metric has no data any more. A new one does not: it starts
   * without data, and actions follow a change of the state.
   */
  readonly pagesWithoutData?: true;
}

/** Definitions by the ids of the alarms. */
export type AlarmDefinitions = Readonly<Record<string, AlarmDefinition>>;

/** Adds an alarm without recipients. */
export function addAlarm(
  scope: Construct,
  id: string,
  stage: Stage,
  definition: AlarmDefinition,
): Alarm {
  return new Alarm(scope, id, {
    threshold: 0,
    evaluationPeriods: 1,
    ...definition,
    alarmName: definition.name ?? alarmName(scope, id),
    alarmDescription: alarmDescription(id, stage, definition),
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: definition.pagesWithoutData
      ? TreatMissingData.MISSING
      : // Without requests there is no value, and no problem.
        TreatMissingData.NOT_BREACHING,
  });
}

/**
 * Returns the name of an alarm in CloudWatch. The name of a stage may have a hyphen, but no slash:
 * so `CustomerDataApi-prod/*` names no alarm of the stage `prod-eu`.
 */
export function alarmName(scope: Construct, id: string): string {
  return `${Stack.of(scope).stackName}/${id}`;
}

/** Runbook sections are named after their alarms; anchors are in lower case. */
function alarmDescription(
  id: string,
  { name, settings: { runbookUrl } }: Stage,
  { meaning, section = id.toLowerCase() }: AlarmDefinition,
): string {
  return `Stage ${name}: ${meaning} ${runbookUrl}#${section}`;
}
