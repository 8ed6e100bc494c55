import { Duration } from 'aws-cdk-lib';
import type { CountMetric } from '../../core/platform/metrics.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import { countOf, sumOf } from '../metrics.ts';
import type { StageAlarms } from './stage-alarms.ts';

const PERIOD = Duration.minutes(5);

/** Adds alarms on what is wrong with the items of clients, and on items that cannot be read. */
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
  // A single refusal is enough: the item has a mistake, and a retry does not correct it.
  alarms.add('ClientLockedOut', {
    metric: sumOf(countsOf('ClientLockedOut'), PERIOD),
    threshold: 0,
    evaluationPeriods: 1,
    meaning: 'A client admits nobody: every request of its apps is refused.',
    section: 'a-client-that-admits-nobody',
  });
  alarms.add('ConfigurationBroken', {
    metric: countOf('FieldsLeftOut', ours(getConfig.folder)),
    threshold: 0,
    evaluationPeriods: 1,
    meaning: 'The apps of a client do not get all of its fields.',
    section: 'a-broken-configuration',
  });
  // Two periods, because one failed read is served from the cache for ten seconds; less than the 15 minutes until requests fail.
  alarms.add('StaleClients', {
    metric: sumOf(countsOf('LastGoodConfigServed'), PERIOD),
    threshold: 0,
    evaluationPeriods: 2,
    meaning:
      'For ten minutes, clients could not be read, and old copies were served. After 15 minutes requests fail.',
    section: 'stale-clients',
  });
}
