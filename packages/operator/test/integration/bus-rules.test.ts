import { startAws } from 'customer-data-api/testing/aws';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { checkBusRules } from '../../doctor/bus-rules.ts';
import { testEventPattern } from '../support/event-patterns.ts';

const aws = await startAws();
beforeAll(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

const rule = (Name: string, pattern?: object) => ({
  Name,
  ...(pattern && { EventPattern: JSON.stringify(pattern) }),
});

async function found(...pages: readonly object[][]) {
  aws.answer({
    TestEventPattern: testEventPattern,
    ListRules: ({ NextToken }: Readonly<Record<string, unknown>>) => {
      const page = Number(NextToken ?? 0);
      return { Rules: pages[page], ...(page + 1 < pages.length && { NextToken: `${page + 1}` }) };
    },
  });
  return await Array.fromAsync(checkBusRules({ Region: 'eu-central-1' }, 'Bus'));
}

test.each<object>([
  { detail: { version: ['1'] } },
  { detail: { version: [{ prefix: '1' }] } },
  { detail: { version: [{ 'equals-ignore-case': '1' }] } },
  { detail: { item: { clientId: { S: ['demo'] } } } },
  { detail: { item: { clientId: { S: [{ 'anything-but': { prefix: 'smoke-' } }] } } } },
  { detail: { item: { expiresAt: [{ exists: false }], userId: { S: [{ exists: true }] } } } },
  { detail: { version: ['2'], item: { promoCodeToken: { S: [{ exists: true }] } } } },
  { detail: { $or: [{ version: ['1'] }, { item: { userId: { S: ['jane'] } } }] } },
  { $or: [{ detail: { version: ['1'] } }] },
  { source: ['customer-data-api.promo-events', 'another'], detail: { version: ['1'] } },
  { 'detail-type': ['applied', 'configuration-changed'], detail: { version: ['1'] } },
  { source: [{ prefix: 'customer-data-api' }], detail: { version: ['1'] } },
  { source: [{ prefix: '' }], detail: { version: ['1'] } },
  { source: [{ 'anything-but': ['another'] }], detail: { item: { kind: { S: ['applied'] } } } },
  { detail: { version: [{ 'anything-but': ['2', '3'] }] } },
  { 'detail-type': ['repeated'], detail: { version: ['1'] } },
  { region: ['eu-central-1'], detail: { version: ['1'], clientId: ['demo'] } },
  { detail: { $or: [{ version: ['1'] }, { version: ['3'] }] } },
  { $or: [{ source: ['another'] }, { detail: { version: ['1'] } }], detail: { version: ['1'] } },
  {
    $or: [
      { source: ['customer-data-api.promo-events'], detail: { version: ['1'] } },
      { source: ['another'] },
    ],
  },
  { $or: [{ detail: { item: { clientId: { S: ['demo'] } } } }, { source: ['another'] }] },
  {
    source: ['customer-data-api.promo-events'],
    $or: [{ detail: { version: ['1'] } }, { 'detail-type': ['repeated'] }],
  },
  { $or: [{ detail: { version: ['1'] } }, { detail: { clientId: ['demo'] } }] },
  {
    detail: {
      $or: [
        { version: ['1'], clientId: ['demo'] },
        { version: ['2'], clientId: ['acme'] },
      ],
    },
  },
])('a rule that waits for version 1 is named: %j', async (pattern) => {
  const [result, ...others] = await found([rule('Old', pattern)]);
  expect(others).toEqual([]);
  expect(result).toMatchObject({ status: 'problem', facts: { rules: ['Old'] } });
  expect(result?.message).toMatch(/\bOld\b/);
});

test.each<[pattern: object | undefined]>([
  [undefined],
  [{}],
  [{ source: ['customer-data-api.promo-events'], 'detail-type': ['applied'] }],
  [{ detail: { version: ['2'], clientId: [{ 'anything-but': { prefix: 'smoke-' } }] } }],
  // For the days of the update.
  [{ detail: { version: ['1', '2'] } }],
  [{ detail: { $or: [{ item: { clientId: { S: ['demo'] } } }, { clientId: ['demo'] }] } }],
  [{ detail: { version: [{ 'anything-but': '1' }] } }],
  [{ detail: { item: [{ exists: false }] } }],
  // Events of others.
  [{ source: ['another'], detail: { item: { id: ['1'] }, version: ['1'] } }],
  [{ source: [{ prefix: 'another' }], detail: { item: { id: ['1'] } } }],
  [{ source: [{ 'anything-but': { prefix: 'customer-data-api' } }], detail: { version: ['1'] } }],
  [{ source: [{ exists: false }], detail: { version: ['1'] } }],
  [{ 'detail-type': ['order'], detail: { item: { id: ['1'] } } }],
  [{ detail: { version: ['3'] } }],
  [{ detail: { $or: [{ version: ['1'] }, { version: ['2'] }] } }],
  [{ $or: [{ detail: { version: ['1'], clientId: ['demo'] } }, { detail: { version: ['2'] } }] }],
  [{ $or: [{ source: ['another'] }, { detail: { version: ['2'], clientId: ['demo'] } }] }],
  // News of configurations is of version 1.
  [{ source: ['customer-data-api.configurations'], detail: { version: ['1'] } }],
  [{ 'detail-type': ['configuration-changed'], detail: { version: ['1'] } }],
  [{ 'replay-name': [{ exists: false }] }],
])('another rule is fine: %j', async (pattern) => {
  expect((await found([rule('New', pattern)])).map(({ status }) => status)).toEqual(['ok']);
});

test('the rules of all pages of the bus are read', async () => {
  const old = { detail: { version: ['1'] } };
  const [result] = await found([rule('A', old)], [rule('B', {})], [rule('C', old)]);
  expect(result).toMatchObject({ facts: { rules: ['A', 'C'] } });
  expect(aws.inputsOf('ListRules').map(({ EventBusName }) => EventBusName)).toEqual(
    Array(3).fill('Bus'),
  );
});
