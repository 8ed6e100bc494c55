/** Returns the name of the stack of a stage. */
export function stackNameOf(stage: string): string {
  return `CustomerDataApi-${stage}`;
}
