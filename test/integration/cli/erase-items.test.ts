import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eraseUser } from '../../../cli/user/erase-user.ts';
import { type Answers, startFakeAws } from '../../support/fake-aws.ts';
import { OUTPUTS } from '../../support/outputs.ts';

/* What user erase asks DynamoDB, and what it says if DynamoDB refuses a part of it. */

let aws: Awaited<ReturnType<typeof startFakeAws>>;
beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.stop());
beforeEach(() => {
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

const item = (code: string) => ({
  ...{ clientId: { S: 'demo' }, eventId: { S: `jane%23#${code}#applied` } },
});

/** Erases the items of a user, of whom the queues have nothing. */
async function erase(answers: Answers = {}) {
  aws.answer({
    GetQueueAttributes: {
      Attributes: {
        ...{ ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '0' },
      },
    },
    ReceiveMessage: {},
    Query: ({ ExclusiveStartKey }) =>
      ExclusiveStartKey
        ? { Items: [item('C')] }
        : { Items: [item('A'), item('B')], LastEvaluatedKey: item('B') },
    DeleteItem: {},
    ...answers,
  });
  const [printed, noted]: [string[], string[]] = [[], []];
  const user = { clientId: 'demo', userId: 'jane#' };
  const error = await eraseUser(OUTPUTS, user, {
    print: (line) => printed.push(line),
    note: (line) => noted.push(line),
    confirm: async () => true,
  }).then(
    () => undefined,
    (reason: Error) => reason,
  );
  return { printed, noted, error };
}

test('the items of the user alone are asked for and deleted, on all pages', async () => {
  const { printed, noted, error } = await erase();
  expect(error).toBeUndefined();
  expect(noted.at(-1)).toBe('  in the table: 3');
  expect(printed.at(-1)).toBe('Removed from the table: 3');
  const queries = aws.inputsOf('Query');
  // The preview, and the removal: two pages each.
  expect(queries).toHaveLength(4);
  for (const query of queries) {
    expect(query).toMatchObject({
      TableName: 'PromoEvents',
      KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :prefix)',
      ExpressionAttributeValues: { ':clientId': { S: 'demo' }, ':prefix': { S: 'jane%23#' } },
      ConsistentRead: true,
    });
  }
  expect(aws.inputsOf('DeleteItem')).toEqual(
    ['A', 'B', 'C'].map((code) => ({ TableName: 'PromoEvents', Key: item(code) })),
  );
});

test('the items that were removed before a failed call are counted', async () => {
  const { printed, error } = await erase({ DeleteItem: [{}, undefined] });
  expect(error?.name).toContain('AccessDenied');
  expect(printed.at(-1)).toBe('Removed from the table: 1');
  expect(aws.inputsOf('DeleteItem')).toHaveLength(2);
});
