import { callOf } from 'customer-data-api-deployment';

/** How far a change has come: nothing is written, it is unknown whether it is, or published. */
export type ChangeProgress = 'nothing' | 'unknown' | 'published';

/** Returns how far a change has come after an error: DynamoDB may have refused the write. */
export function progressAfter(error: unknown, progress: ChangeProgress): ChangeProgress {
  return progress === 'unknown' && isRefused(error) ? 'nothing' : progress;
}

/** True if DynamoDB refused the write, and no earlier attempt can have made it. */
function isRefused(error: unknown): boolean {
  // A read after a refused write may have failed, too.
  const { cause } = error as { cause?: unknown };
  return [error, cause].some((one) => {
    if (!(one instanceof Error) || !callOf(one)?.startsWith('dynamodb:UpdateItem')) return false;
    const { $metadata } = one as { $metadata?: { httpStatusCode?: number; attempts?: number } };
    const { httpStatusCode = 0, attempts } = $metadata ?? {};
    return attempts === 1 && httpStatusCode >= 400 && httpStatusCode < 500;
  });
}
