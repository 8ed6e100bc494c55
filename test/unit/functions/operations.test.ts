import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Grants, Operation } from '../../../functions/api/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { recordConfigurationVersions } from '../../../functions/record-configuration-versions/definition.ts';
import { storeQueuedPromoEvents } from '../../../functions/store-queued-promo-events/definition.ts';

/** What the stack reads of each function. */
const FUNCTIONS: readonly Pick<Operation, 'folder' | 'grants' | 'throttle'>[] = [
  ...OPERATIONS,
  recordConfigurationVersions,
  storeQueuedPromoEvents,
];

test.each(FUNCTIONS)('the folder $folder has a handler', ({ folder }) => {
  const handler = new URL(`../../../functions/${folder}/handler.ts`, import.meta.url);
  expect(existsSync(handler)).toBe(true);
});

test('an operation may read clients, and each function may only call the other AWS actions that are here', () => {
  const grants = Object.fromEntries(
    FUNCTIONS.map((one): [string, Grants] => [one.folder, one.grants]),
  );
  const ofEveryOperation: Grants = { configs: ['dynamodb:GetItem'] };
  expect(grants).toEqual({
    ...Object.fromEntries(OPERATIONS.map(({ folder }) => [folder, ofEveryOperation])),
    'apply-promo-code': {
      ...ofEveryOperation,
      promoEvents: ['dynamodb:UpdateItem', 'dynamodb:PutItem'],
      promoEventsQueue: ['sqs:SendMessage'],
    },
    'record-configuration-versions': {
      configVersions: ['dynamodb:Query', 'dynamodb:PutItem', 'dynamodb:DeleteItem'],
    },
    'store-queued-promo-events': { promoEvents: ['dynamodb:UpdateItem', 'dynamodb:PutItem'] },
  });
});

test('a flood of an operation with a limit leaves functions of the account to the others', () => {
  /** Concurrent functions of an account by default: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  const account = 1000;
  /** How long a function takes to start, in seconds. */
  const start = 0.3;
  const limited = OPERATIONS.flatMap(({ paths, throttle }) =>
    throttle ? paths.length * (throttle.burst + throttle.requestsPerSecond * start) : [],
  );
  expect(limited).toHaveLength(1);
  expect(limited[0]).toBeLessThanOrEqual(account - 200);
});
