import type { InitializeMiddleware, Pluggable } from '@smithy/types';

/** The parameters that name what a call is about, the first that it has. */
const RESOURCES = [
  ...['TableName', 'QueueUrl', 'StackName', 'StreamArn', 'UserPoolId'],
  ...['TopicArn', 'PolicySourceArn'],
];

const calls = new WeakMap<object, string>();

/**
 * A plugin for an SDK client. With it, `callOf` says which call an error belongs to, in the words
 * of IAM: SDK errors name neither action nor resource when the service cannot be reached.
 *
 * @param prefix the service as in IAM's actions, such as `dynamodb`.
 */
export function namedCallsPlugin<TInput extends object, TOutput extends object>(
  prefix: string,
): Pluggable<TInput, TOutput> {
  const name: InitializeMiddleware<TInput, TOutput> = (next, context) => async (args) => {
    try {
      return await next(args);
    } catch (error) {
      const action = `${prefix}:${actionOf(prefix, String(context.commandName))}`;
      const resource = resourceOf(args.input);
      if (error instanceof Error) calls.set(error, resource ? `${action} on ${resource}` : action);
      throw error;
    }
  };
  return { applyToStack: (stack) => stack.add(name, { step: 'initialize', priority: 'high' }) };
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
  const values = Object.entries(input);
  for (const resource of RESOURCES) {
    const [, value] = values.find(([name]) => name === resource) ?? [];
    if (typeof value === 'string') return value;
  }
  return undefined;
}
