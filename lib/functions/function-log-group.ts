/**
 * The name of the log group of a function, which the stack gives it and commands know.
 *
 * @param id the function's construct id.
 */
export function functionLogGroup(stackName: string, id: string): string {
  return `/aws/lambda/${stackName}/${id}`;
}
