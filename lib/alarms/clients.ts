import { Duration } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { CountMetric } from '../../core/runtime/metrics.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import { countOf, deadLettersIn, sumOf } from './metrics.ts';
import type { MonitoredFunction, StageAlarms } from './stage-alarms.ts';

const MINUTE = Duration.minutes(1);
const PERIOD = Duration.minutes(5);
/** Three hours: an alarm about a client that apps rarely call stays on between the calls. */
const QUIET = { evaluationPeriods: 36, datapointsToAlarm: 1 };

/** Adds alarms on mistakes in clients' items, and on items that cannot be read. */
export function alarmOnClients(
  alarms: StageAlarms,
  stage: string,
  services: readonly string[],
): void {
  const ours = (service: string) => ({ service, stage, period: PERIOD });
  const countsOf = (name: CountMetric) =>
    Object.fromEntries(
      services.map((service, index) => [`service${index}`, countOf(name, ours(service))]),
    );
  // A single refusal is enough: the item is wrong, and a retry does not help.
  alarms.add('ClientLockedOut', {
    metric: sumOf(countsOf('ClientLockedOut'), PERIOD),
    threshold: 0,
    ...QUIET,
    meaning: 'A client admits nobody: every request of its apps is refused.',
  });
  alarms.add('ConfigurationBroken', {
    metric: countOf('FieldsLeftOut', ours(getConfig.folder)),
    threshold: 0,
    ...QUIET,
    meaning: 'The apps of a client do not get all of its fields.',
  });
  // Two periods: one failed read is served from the cache for ten seconds. Less than the 15 minutes
  // after which requests fail.
  alarms.add('StaleClients', {
    metric: sumOf(countsOf('LastGoodConfigServed'), PERIOD),
    threshold: 0,
    evaluationPeriods: 2,
    meaning:
      'For ten minutes, clients could not be read, and old copies were served. After 15 minutes requests fail.',
  });
}

/** A change is recorded within seconds. */
const LATE = Duration.minutes(5);

/** The path of changes into the history. */
export interface MonitoredHistory {
  /** The records that could not be recorded. */
  readonly deadLetterQueue: IQueue;
  /** The function that records versions. */
  readonly recorder: MonitoredFunction;
}

/** Adds alarms on manual edits that harm a client, and on changes that are not recorded. */
export function alarmOnConfigurationHistory(
  alarms: StageAlarms,
  stage: string,
  { deadLetterQueue, recorder }: MonitoredHistory,
): void {
  alarms.add('ManualEditHarmedClient', {
    metric: countOf('ManualEditHarmedClient', { service: recorder.service, stage, period: MINUTE }),
    threshold: 0,
    evaluationPeriods: 1,
    meaning:
      'A change that bypassed the tools harmed a client. The saved query outside names the client and the harm, and "./customer-data config history ID" shows the change. "config rollback ID@N -m TEXT" undoes it in the fields, "clients set-app-clients" in the app clients, "keys add ID --from FILE" in the App-Ids; after "clients create ID" they also bring a deleted client back.',
  });
  alarms.add('VersionsLate', {
    metric: recorder.function.metric('IteratorAge', { period: PERIOD, statistic: 'Maximum' }),
    threshold: LATE.toMilliseconds(),
    evaluationPeriods: 1,
    meaning: 'Changes of clients have waited for five minutes to be recorded.',
    section: 'versionslate-versionsmissing',
  });
  alarms.add('VersionsMissing', {
    metric: sumOf(
      {
        skipped: countOf('ChangeSkipped', { service: recorder.service, stage }),
        deadLetters: deadLettersIn(deadLetterQueue),
      },
      MINUTE,
    ),
    threshold: 0,
    evaluationPeriods: 1,
    meaning: 'Changes of clients were skipped, or could not be recorded for twelve hours.',
    isRepeated: true,
    section: 'versionslate-versionsmissing',
  });
}
