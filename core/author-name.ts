/** Names the author of a change: an ARN without what the callers of an account have in common. */
export function authorName(by: string): string {
  return by.replace(/^arn:(?:[^:]*:){4}(?:[^/]*\/)?/, '');
}
