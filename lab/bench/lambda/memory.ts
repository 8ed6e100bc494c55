import { DEFAULT_MEMORY_MEGABYTES } from '../../../lib/settings/capacity.ts';

/**
 * Memory at which a function has one CPU, in megabytes:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export const CPU_MEGABYTES = 1769;

/**
 * Memory of the functions whose starts are judged, in megabytes: what is deployed. The
 * type fails the build if the default changes, because the names of the figures contain it.
 */
export const JUDGED_MEGABYTES: 1024 = DEFAULT_MEMORY_MEGABYTES;

/** The share of a CPU that Lambda gives a function during its calls. */
export function cpuShare(megabytes: number): number {
  return megabytes / CPU_MEGABYTES;
}
