import { getConfig } from 'customer-data-api/operations';
import type { Deployment } from 'customer-data-api-deployment';
import { countMetrics } from '../count-metrics.ts';

const METRICS = { candidate: 'CandidateServed', control: 'ControlServed' } as const;

/** The responses of `getConfig` to devices of each group. */
export type GroupCounts = Readonly<Record<keyof typeof METRICS, number>>;

/**
 * Counts the responses to each group of all rollouts of a deployment, in the last hours. It never
 * throws.
 *
 * @returns the counts, or a sentence that says why they are unknown.
 */
export async function countGroups(
  deployment: Deployment,
  hours: number,
): Promise<GroupCounts | string> {
  const metrics = Object.values(METRICS).map((name) => ({ name }));
  const counts = await countMetrics(deployment, getConfig.folder, metrics, hours);
  if (typeof counts === 'string') return counts;
  const [candidate = 0, control = 0] = metrics.map(({ name }) => counts[name]);
  return { candidate, control };
}
