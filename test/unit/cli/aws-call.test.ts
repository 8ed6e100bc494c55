import type { HandlerExecutionContext, InitializeMiddleware } from '@smithy/types';
import { expect, test } from 'vitest';
import { callOf, namedCallsPlugin } from '../../../cli/aws-call.ts';

/** Makes a call of a client with the plugin; `next` stands for the rest of the client. */
async function call(
  prefix: string,
  commandName: string,
  input: object,
  next: () => Promise<never>,
) {
  const added: InitializeMiddleware<object, object>[] = [];
  const stack = {
    add: (middleware: InitializeMiddleware<object, object>) => added.push(middleware),
  };
  namedCallsPlugin(prefix).applyToStack(stack as never);
  const context = { commandName } as HandlerExecutionContext;
  await added[0]?.(next, context)({ input });
}

test.each([
  ['sqs', 'SendMessageBatchCommand', { QueueUrl: 'q' }, 'sqs:SendMessage on q'],
  ['sqs', 'DeleteMessageBatchCommand', { QueueUrl: 'q' }, 'sqs:DeleteMessage on q'],
  [
    'sqs',
    'ChangeMessageVisibilityBatchCommand',
    { Entries: [], QueueUrl: 'q' },
    'sqs:ChangeMessageVisibility on q',
  ],
  ['dynamodb', 'GetShardIteratorCommand', { StreamArn: 's' }, 'dynamodb:GetShardIterator on s'],
  ['dynamodb', 'BatchGetItemCommand', { RequestItems: {} }, 'dynamodb:BatchGetItem'],
  [
    'sns',
    'ListSubscriptionsByTopicCommand',
    { TopicArn: 't' },
    'sns:ListSubscriptionsByTopic on t',
  ],
  ['logs', 'StartQueryCommand', { logGroupNames: ['g'] }, 'logs:StartQuery'],
  ['apigateway', 'GetAccountCommand', {}, 'apigateway:GET'],
  ['dynamodb', 'PutItemCommand', { Item: {}, TableName: 7 }, 'dynamodb:PutItem'],
])(
  '%s: a failed %s with %j is named as in IAM, with its resource: %s',
  async (prefix, name, input, expected) => {
    const error = new Error('No.');
    await expect(call(prefix, name, input, () => Promise.reject(error))).rejects.toBe(error);
    expect(callOf(error)).toBe(expected);
  },
);

test('an error of nobody has no call', () => {
  expect(callOf(new Error('No.'))).toBeUndefined();
});
