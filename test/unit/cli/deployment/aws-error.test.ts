import { describe, expect, test } from 'vitest';
import { AwsError, inOneLine } from '../../../../cli/deployment/aws-error.ts';
import { EXIT_CODES, type UserError } from '../../../../core/user-error.ts';

/** An error as the SDK throws it. Without a status, there was no response. */
function awsError(name: string, httpStatusCode?: number, more: object = {}): Error {
  const $metadata = { attempts: 3, ...(httpStatusCode && { httpStatusCode }) };
  return Object.assign(new Error('Why.'), { name, $metadata, ...more });
}

test.each(['CredentialsProviderError', 'TokenProviderError'])(
  'a %s, which no service has sent, is one of AWS',
  (name) => {
    const error = Object.assign(new Error('Sign in.'), { name });
    expect(inOneLine(error)).toMatchObject({ code: 'noCredentials' });
  },
);

describe('the exit code is 4 if', () => {
  test.each([
    ['the host is unknown', awsError('Error', undefined, { code: 'ENOTFOUND' })],
    ['the connection breaks', awsError('Error', undefined, { code: 'ECONNRESET' })],
    [
      'a proxy shows another certificate',
      awsError('Error', undefined, { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
    ],
    ['there is no response in time', awsError('TimeoutError')],
    ['the service is out of order', awsError('InternalServerError', 500)],
    ['the service is unavailable', awsError('ServiceUnavailable', 503)],
    ['DynamoDB denies the call', awsError('AccessDeniedException', 400)],
    ['CloudFormation denies the call', awsError('AccessDenied', 403)],
    ['the key for encryption may not be used', awsError('KMSAccessDeniedException', 400)],
    ['the key is unknown to DynamoDB', awsError('UnrecognizedClientException', 400)],
    ['the session has ended', awsError('ExpiredTokenException', 400)],
    ['the secret is wrong', awsError('InvalidSignatureException', 400)],
    ...[
      ...['AuthFailure', 'AuthorizationErrorException', 'IncompleteSignature'],
      ...['InvalidClientTokenId', 'MissingAuthenticationTokenException', 'OptInRequired'],
      ...['NotAuthorizedException', 'RequestExpired', 'SignatureDoesNotMatch'],
      'UnauthorizedOperation',
    ].map((name): [string, Error] => [`the service answers ${name}`, awsError(name, 400)]),
    ['an unknown error refuses the caller', awsError('Blocked', 403)],
    ['an unknown error asks for a sign-in', awsError('Blocked', 401)],
    ['the service throttles', awsError('ThrottlingException', 400)],
    ['the table throttles', awsError('ProvisionedThroughputExceededException', 400)],
    ['there are too many requests', awsError('TooMany', 429)],
  ])('%s', (_, error) => {
    const { code } = inOneLine(error) as UserError;
    expect(EXIT_CODES[code]).toBe(4);
  });
});

describe('the exit code is 1 if', () => {
  test.each([
    ['the queue does not exist', awsError('QueueDoesNotExist', 400)],
    ['the table does not exist', awsError('ResourceNotFoundException', 400)],
    ['a parameter is wrong', awsError('ValidationException', 400)],
    ['the sign-in is switched off', awsError('InvalidParameterException', 400)],
    ['something else was asked for', awsError('NoSuchThing', 404)],
    ['only the rest of its name is that of a refusal', awsError('NoRequestExpired', 400)],
  ])('%s', (_, error) => {
    expect(inOneLine(error)).toBeInstanceOf(AwsError);
    expect(inOneLine(error)).toMatchObject({ code: 'awsCallFailed' });
  });
});

test('advice follows only if AWS refused the caller', () => {
  const errors = ['AccessDenied', 'TimeoutError', 'NoSuchThing'].map((name) => awsError(name, 404));
  const advised = errors.map((error) => String(inOneLine(error, 'Advice.')).endsWith('Advice.'));
  expect(advised).toEqual([true, false, false]);
});

test('an error that is not of AWS is a defect, and stays as it is', () => {
  const error = new TypeError('x is undefined');
  expect(inOneLine(error, 'Advice.')).toBe(error);
  expect(inOneLine('thrown')).toBe('thrown');
});
