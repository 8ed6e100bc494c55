import { expect, test } from 'vitest';
import { CHECKS } from '../../../../cli/smoke/checks.ts';
import type { Subject } from '../../../../cli/smoke/requests.ts';

test('a check that does not apply to a deployment is skipped, with the reason', () => {
  const user = { idToken: '', accessToken: '', expiredIdToken: undefined, userId: '' };
  const subject = { user, isUserBound: false } as Subject;
  const skipped = CHECKS.map((check) => check.skipped?.(subject)).filter(Boolean);
  expect(new Set(skipped)).toEqual(
    new Set([expect.stringContaining('--expired-token'), expect.stringContaining('userIdClaim')]),
  );
});

test('names of checks are unique', () => {
  const names = CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
