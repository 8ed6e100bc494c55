/** The memory assumed outside Lambda, in megabytes. */
const DEFAULT_MEGABYTES = 512;

/**
 * Returns the memory of this function, in megabytes.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export function memoryMegabytes(): number {
  return Number(process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? DEFAULT_MEGABYTES);
}
