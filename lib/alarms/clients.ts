import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { CountMetric } from '../../core/runtime/metrics.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import type { AlarmDefinitions } from './alarm.ts';
import {
  ageOfRecords,
  byFunction,
  countOf,
  deadLettersIn,
  filledSum,
  SINCE_ARRIVAL,
  sumOf,
  writesTo,
} from './metrics.ts';
import type { Monitored } from './monitored.ts';

const MINUTE = Duration.minutes(1);
const PERIOD = Duration.minutes(5);
/** Three hours: an alarm about a client that apps rarely call stays on between the calls. */
const STAYS_ON = { evaluationPeriods: 36, datapointsToAlarm: 1 };
const QUARTER = Duration.minutes(15);
/** A change is recorded within seconds. */
const LATE = Duration.minutes(5);

/**
 * Returns the alarms on mistakes in clients' items, on items that cannot be read, on manual edits
 * that harm a client, and on changes that are not recorded.
 */
export function clientAlarms({
  stage,
  operations,
  recorder,
  history,
  tables,
}: Monitored): AlarmDefinitions {
  const writes = writesTo(tables.configs);
  const age = ageOfRecords(recorder);
  const changes = new MathExpression({
    // A value in each period that has an age, also if nothing was written for hours.
    expression: `${filledSum(writes)} + 0 * age`,
    usingMetrics: { ...writes, age },
  });
  const sumOfAll = (metric: CountMetric) =>
    sumOf(
      byFunction('service', operations, (lambda) => countOf(metric, stage, lambda)),
      PERIOD,
    );
  return {
    // A single refusal is enough: the item is wrong, and a retry does not help.
    ClientLockedOut: {
      metric: sumOfAll('ClientLockedOut'),
      ...STAYS_ON,
      meaning:
        'A client is locked out: every request of its apps is refused. keys add, keys revoke and clients set-app-clients repair it.',
    },
    ConfigurationBroken: {
      metric: countOf('FieldsLeftOut', stage, getConfig, { period: PERIOD }),
      ...STAYS_ON,
      meaning: 'The apps of a client do not get all of its fields.',
    },
    StaleClients: {
      metric: sumOfAll('LastGoodConfigServed'),
      // One failed read is served from the cache for ten seconds, so one period says little. Two
      // are less than the 15 minutes after which requests fail.
      evaluationPeriods: 2,
      meaning:
        'For ten minutes, clients could not be read, and old copies were served. After 15 minutes requests fail.',
    },
    ClientHarmed: {
      metric: countOf('ClientHarmed', stage, recorder, { period: MINUTE }),
      meaning:
        'A change harmed a client. The saved query harm names the client and the harm, and "./customer-data config history ID" shows the change. "config rollback ID@N -m TEXT" undoes it in the fields, "clients set-app-clients" in the app clients, "keys add ID --from FILE" in the App-Ids; after "clients create ID" they also bring a deleted client back.',
    },
    // The age is measured by the function that records: without its trigger, it has no data.
    VersionsLate: {
      metric: new MathExpression({
        // Changes of the period before. In the newest one, the function may run in a moment.
        expression: `IF(changes - DIFF(changes) > 0 AND runs == 0 AND runs - DIFF(runs) == 0, 1, 0) + IF(age > ${LATE.toMilliseconds()}, 1, 0)`,
        usingMetrics: {
          changes,
          runs: new MathExpression({
            // A value in each period, also if the function never runs.
            expression: 'FILL(invocations, 0) + 0 * changes',
            usingMetrics: { invocations: recorder.metricInvocations(), changes },
          }),
          age,
        },
        period: QUARTER,
      }),
      // Three hours: clients rarely change, and the next change would turn it off.
      evaluationPeriods: 12,
      datapointsToAlarm: 1,
      meaning: 'A change of a client has waited to be recorded. It is lost after 24 hours.',
      section: 'versionslate-versionsmissing',
    },
    VersionsMissing: {
      metric: sumOf(
        {
          skipped: countOf('ChangeSkipped', stage, recorder),
          deadLetters: deadLettersIn(history.deadLetterQueue),
        },
        MINUTE,
      ),
      ...SINCE_ARRIVAL,
      meaning: 'Changes of clients were skipped, or could not be recorded for twelve hours.',
      section: 'versionslate-versionsmissing',
    },
  };
}
