import type { MiddlewareStack } from '@smithy/types';

/** The parameters that name what a call is about, the first that it has. */
const RESOURCES = [
  'TableName',
  'QueueUrl',
  'StackName',
  'StreamArn',
  'UserPoolId',
  'TopicArn',
  'PolicySourceArn',
];

const calls = new WeakMap<object, string>();

/**
 * Lets `callOf` say which call an error of an SDK client belongs to, in the words of IAM: SDK
 * errors name neither action nor resource when the service cannot be reached.
 *
 * @param prefix the service as in IAM's actions, such as `dynamodb`.
 */
export function nameCalls(prefix: string, stack: MiddlewareStack<object, object>): void {
  stack.add(
    (next, context) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        const action = `${prefix}:${actionOf(prefix, String(context.commandName))}`;
        const resource = resourceOf(args.input);
        if (error instanceof Error)
          calls.set(error, resource ? `${action} on ${resource}` : action);
        throw error;
      }
    },
    { step: 'initialize', priority: 'high' },
  );
}

/**
 * The action and, if known, the resource of the call that failed, such as `dynamodb:Scan on
 * Configs`.
 */
export function callOf(error: object): string | undefined {
  return calls.get(error);
}

/**
 * The action in IAM. SQS's batches need the permission for a single message, and API Gateway's
 * actions are HTTP methods.
 */
function actionOf(prefix: string, commandName: string): string {
  const operation = commandName.replace(/Command$/, '');
  if (prefix === 'apigateway') return operation.replace(/^Get.*/, 'GET');
  return operation.replace(/(Message|Visibility)Batch$/, '$1');
}

function resourceOf(input: object): string | undefined {
  const values: Readonly<Record<string, unknown>> = { ...input };
  return RESOURCES.map((name) => values[name]).find((value) => typeof value === 'string');
}
