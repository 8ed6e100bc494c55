import { DEFAULT_MEMORY_MEGABYTES } from '../../lib/settings/capacity.ts';

/**
 * Memory at which a function has one CPU, in megabytes. It has a part of one in proportion to less
 * memory: https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
export const CPU_MEGABYTES = 1769;

/**
 * Memory of the functions whose starts and campaign are judged, in megabytes: what is deployed. The
 * type fails the build if the default changes, because the names of the figures contain it.
 */
export const JUDGED_MEGABYTES: 1024 = DEFAULT_MEMORY_MEGABYTES;

/**
 * The smallest common memory size, in megabytes. Starts of ours and the floor are shown with it,
 * but not judged.
 */
export const SMALL_MEGABYTES = 512;

/** Adds what Lambda tells a function about its memory to its environment variables. */
export function withMemory(variables: NodeJS.ProcessEnv, megabytes: number): NodeJS.ProcessEnv {
  return { ...variables, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(megabytes) };
}
