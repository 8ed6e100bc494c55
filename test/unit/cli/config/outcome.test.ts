import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { namedCallsPlugin } from '../../../../cli/aws-call.ts';
import { AwsError } from '../../../../cli/aws-error.ts';
import { type Outcome, withOutcome } from '../../../../cli/config/outcome.ts';
import { publish } from '../../../../core/configuration/publish.ts';
import { CommandError } from '../../../../core/platform/command-error.ts';

const NOTHING = 'Nothing was published.';
const UNKNOWN =
  'Whether it was published is not known: customer-data config history pizza shows it.';

/** An error of a call, as an SDK client with our plugin throws it. */
async function awsError(commandName: string, $metadata: object): Promise<Error> {
  return failed(commandName, Object.assign(new Error('no'), { name: 'SomeException', $metadata }));
}

/** Lets a call fail with an error. */
async function failed(commandName: string, error: Error): Promise<Error> {
  let call = async (_: { input: object }): Promise<unknown> => undefined;
  const stack = {
    add: (middleware: (...args: never[]) => typeof call) => {
      call = middleware(...([() => Promise.reject(error), { commandName }] as unknown as never[]));
    },
  };
  namedCallsPlugin('dynamodb').applyToStack(stack as never);
  await call({ input: {} }).catch(() => {});
  return error;
}

const failure = (make: (outcome: Outcome) => Promise<void>) =>
  withOutcome('pizza', make, () => []).then(
    () => expect.unreachable(),
    (error: Error) => error,
  );

test('a failure before the write says that nothing was published', async () => {
  const denied = await awsError('GetItemCommand', { httpStatusCode: 400, attempts: 1 });
  const error = await failure(() => Promise.reject(denied));
  expect(error).toBeInstanceOf(AwsError);
  expect(error.message).toBe(`dynamodb:GetItem failed. SomeException: no\n${NOTHING}`);
  const refused = new CommandError('It has 1 error.');
  expect((await failure(() => Promise.reject(refused))).message).toBe(
    `It has 1 error.\n${NOTHING}`,
  );
});

test.each([
  ['refused at once', 'UpdateItemCommand', { httpStatusCode: 400, attempts: 1 }, NOTHING],
  ['refused after a retry', 'UpdateItemCommand', { httpStatusCode: 400, attempts: 2 }, UNKNOWN],
  ['failed on the server', 'UpdateItemCommand', { httpStatusCode: 500, attempts: 1 }, UNKNOWN],
  ['without a response', 'UpdateItemCommand', { attempts: 1 }, UNKNOWN],
  [
    'and the read after it refused',
    'GetItemCommand',
    { httpStatusCode: 400, attempts: 1 },
    UNKNOWN,
  ],
])('a write that was %s says what is known', async (_, command, metadata, outcome) => {
  const error = await awsError(command, metadata);
  const { message } = await failure((change) => change.sent(() => Promise.reject(error)));
  expect(message.split('\n')[1]).toBe(outcome);
});

test.each([
  [1, NOTHING],
  // An earlier attempt may have been made.
  [2, UNKNOWN],
])(
  'a condition that failed at attempt %i, and a read after it that failed',
  async (attempts, outcome) => {
    const refusal = new ConditionalCheckFailedException({
      message: 'no',
      $metadata: { httpStatusCode: 400, attempts },
    });
    const unreachable = await awsError('GetItemCommand', { attempts: 3 });
    await failed('UpdateItemCommand', refusal);
    const send = (command: object) =>
      Promise.reject(command instanceof UpdateItemCommand ? refusal : unreachable);
    const tables = {
      dynamodb: { send } as unknown as DynamoDBClient,
      ...{ tableName: 'Versions', configsTableName: 'Configs' },
    };
    const plan = {
      before: { clientId: 'pizza', content: {}, misspelled: {} },
      after: { fields: { L: [] }, lastFieldId: { N: '0' } },
      removes: {},
    };
    const { message } = await failure(async (change) => {
      await change.sent(() => publish(tables, plan, { by: 'me', message: '' }));
    });
    expect(message).toBe(`dynamodb:GetItem failed. SomeException: no\n${outcome}`);
  },
);

test('of a change that was declined, only the outcome is said', async () => {
  expect((await failure(() => Promise.reject(new CommandError('')))).message).toBe(NOTHING);
});

test('a failure after the write says that it is published', async () => {
  const { message } = await failure(async (outcome) => {
    await outcome.sent(async () => {});
    throw new CommandError('The version was not recorded.');
  });
  expect(message).toBe('The version was not recorded.\nIt is published.');
});

test('a defect stays as it is', async () => {
  const defect = new TypeError('x is undefined');
  expect(await failure(() => Promise.reject(defect))).toBe(defect);
  expect(defect.message).toBe('x is undefined');
});
