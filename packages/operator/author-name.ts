import { printable } from 'customer-data-api-deployment/program';

/** Names the author of a change: an ARN without what the callers of an account have in common. */
export function authorName(by: string): string {
  return printable(by.replace(/^arn:[^/]*\//, ''));
}
