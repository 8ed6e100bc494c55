import { afterEach, expect, test, vi } from 'vitest';
import type { Answer } from '../../../../cli/smoke/api.ts';
import { CHECKS } from '../../../../cli/smoke/checks.ts';
import { ANSWERED_FIELDS, STORED_FIELDS } from '../../../../cli/smoke/fields.ts';
import { expectFields, type Subject } from '../../../../cli/smoke/requests.ts';

afterEach(() => vi.unstubAllGlobals());

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

test('a deviation is shown with the response, up to 500 characters', () => {
  const body = { data: { message: 'x'.repeat(1000) } };
  const expecting = () => expectFields({ status: 503, body } as unknown as Answer);
  expect(expecting).toThrow(/^(?=.{500}\n)the response is 503 \{"data":\{"message":"x/);
});

test('the client of the checks has a field of each type', () => {
  expect(STORED_FIELDS.map(({ fieldType }) => fieldType)).toEqual(['text', 'drop', 'combo']);
});

test.each(['mandatory', 'allowMultiple', 'allowCopies', 'alpha', 'numbers'])(
  '%s is true somewhere in that client and false elsewhere, so that a service that ignores it is noticed',
  (name) => {
    for (const value of [true, false]) {
      expect(JSON.stringify(ANSWERED_FIELDS)).toContain(`"${name}":${value}`);
    }
  },
);

test('five of six equal requests are sent at once, and the last one after their responses', async () => {
  const sent: string[] = [];
  /** How many requests were sent when each response came. */
  const sentBefore: number[] = [];
  const data = { message: 'Done.', outcome: 'applied' };
  const answered = JSON.stringify({ errors: [], warnings: [], notices: [], data });
  vi.stubGlobal('fetch', async (_url: string, { headers, body }: RequestInit) => {
    sent.push(JSON.stringify([headers, String(body)]));
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    sentBefore.push(sent.length);
    return new Response(answered, { headers: { date: new Date().toUTCString() } });
  });
  const subject = {
    url: 'https://api.example.com',
    user: { idToken: 'token', userId: 'jane' },
    client: {
      ...{ clientId: 'demo', appId: 'key' },
      promoEvents: async () => [JSON.parse(JSON.parse(sent[0] ?? '')[1])],
    },
  } as unknown as Subject;
  const check = CHECKS.find(({ name }) => name.includes('sent five times at once'));
  await check?.run(subject);
  expect(sentBefore).toEqual([5, 5, 5, 5, 5, 6]);
  expect(new Set(sent).size).toBe(1);
});
