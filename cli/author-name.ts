import { printable } from './terminal/printable.ts';

/** Names the author of a change: an ARN without what the callers of an account have in common. */
export function authorName(by: string): string {
  return printable(by.replace(/^arn:[^/]*\//, ''));
}
