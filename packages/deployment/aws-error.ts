import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import type { MiddlewareStack, SdkError } from '@smithy/types';
import { type ErrorCode, UserError } from './program/user-error.ts';
import { printable } from './terminal/printable.ts';

/** A call to AWS failed. */
export class AwsError extends UserError {}

/**
 * The beginnings of the names with which services refuse a caller or a signature. Many of them do
 * so with status 400.
 * https://docs.aws.amazon.com/IAM/latest/APIReference/CommonErrors.html
 */
const REFUSALS = new RegExp(
  `^(${[
    'AccessDenied',
    'AuthFailure',
    'AuthorizationError',
    'ExpiredToken',
    'IncompleteSignature',
    'InvalidClientTokenId',
    'InvalidSignature',
    'KMSAccessDenied',
    'MissingAuthenticationToken',
    'NotAuthorized',
    'OptInRequired',
    'RequestExpired',
    'SignatureDoesNotMatch',
    'UnauthorizedOperation',
    'UnrecognizedClient',
  ].join('|')})`,
);

/** The beginning of the names with which services refuse the token of a session that has ended. */
const EXPIRED = /^ExpiredToken/;

/**
 * An error of AWS, such as missing credentials or permissions, in one line; any other value as it
 * is.
 *
 * @param advice what follows in that line if the credentials are missing or do not suffice.
 */
export function inOneLine(error: unknown, advice = ''): unknown {
  if (!(error instanceof Error)) return error;
  const hasNoCredentials = /^(Credentials|Token)ProviderError$/.test(error.name);
  if (!('$metadata' in error || hasNoCredentials)) return error;
  // The error of a refused connection has a code and no message.
  const text = error.message || ('code' in error ? String(error.code) : '');
  const call = callOf(error) ?? 'A call to AWS';
  const said = printable(`${error.name}: ${text.replaceAll(/\s+/g, ' ')}`);
  const line = `${call} failed. ${said}`.trim();
  const needsPermission = hasNoCredentials || isRefused(error);
  const advised =
    needsPermission && advice ? `${/[.!?]$/.test(line) ? line : `${line}.`} ${advice}` : line;
  return new AwsError(advised, hasNoCredentials ? 'noCredentials' : codeOf(error));
}

function codeOf(error: Error): ErrorCode {
  if (isRefused(error)) return EXPIRED.test(error.name) ? 'noCredentials' : 'accessDenied';
  return isUnanswered(error) ? 'unreachable' : 'awsCallFailed';
}

/** The HTTP status of the response; undefined if there was none. */
function statusOf(error: object): number | undefined {
  const { httpStatusCode } = ('$metadata' in error ? error.$metadata : {}) as {
    httpStatusCode?: number;
  };
  return httpStatusCode;
}

function isRefused(error: Error): boolean {
  return [401, 403].includes(statusOf(error) ?? 0) || REFUSALS.test(error.name);
}

/** True if AWS was not reached, is out of order, or throttles. */
function isUnanswered(error: Error): boolean {
  const sdkError = error as SdkError;
  return statusOf(error) === undefined || isTransientError(sdkError) || isThrottlingError(sdkError);
}

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
