/**
 * The memory of the functions whose starts and campaign are judged, in megabytes. The limits are for the smallest common size, at which
 * a call has 0.29 of a CPU. It is not the default of the deployment, which follows from the part that compares sizes.
 */
export const JUDGED_MEGABYTES = 512;

/** Adds what Lambda tells a function about its memory to its environment variables. */
export function withMemory(variables: NodeJS.ProcessEnv, megabytes: number): NodeJS.ProcessEnv {
  return { ...variables, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(megabytes) };
}
