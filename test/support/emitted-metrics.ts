import type { CountMetric } from '../../core/runtime/metrics.ts';
import * as backgroundFunctions from '../../functions/background-functions.ts';
import { API_METRICS } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';

const counted = [
  ...OPERATIONS.map((one) => ({ ...one, metrics: [...API_METRICS, ...one.metrics] })),
  ...Object.values(backgroundFunctions).filter((one) => typeof one === 'object'),
];

/**
 * The metrics that each function counts, by its folder. A test triggers the condition behind each
 * of them, and another checks that alarms and graphs use no others.
 */
export const EMITTED_METRICS: Readonly<Record<string, readonly CountMetric[]>> = Object.fromEntries(
  counted.map(({ folder, metrics }) => [folder, [...metrics].sort()]),
);
