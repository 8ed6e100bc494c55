import { describe, expect, test } from 'vitest';
import { AwsError, inOneLine } from '../../../cli/aws-error.ts';

/** An error as the SDK throws it. Without a status, there was no response. */
function awsError(name: string, httpStatusCode?: number, more: object = {}): Error {
  const $metadata = { attempts: 3, ...(httpStatusCode && { httpStatusCode }) };
  return Object.assign(new Error('Why.'), { name, $metadata, ...more });
}

test('an error that has a code and no message is described by its code', () => {
  const error = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED', $metadata: {} });
  expect(inOneLine(error)).toBeInstanceOf(AwsError);
  expect(inOneLine(error)).toMatchObject({
    exitCode: 4,
    message: 'A call to AWS failed. AggregateError: ECONNREFUSED',
  });
});

test.each(['CredentialsProviderError', 'TokenProviderError'])(
  'a %s, which no service has sent, is one of AWS',
  (name) => {
    const error = Object.assign(new Error('Sign in\n again.'), { name });
    expect(inOneLine(error)).toMatchObject({
      exitCode: 4,
      message: `A call to AWS failed. ${name}: Sign in again.`,
    });
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
    expect(inOneLine(error)).toMatchObject({ exitCode: 4 });
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
    expect(inOneLine(error)).toMatchObject({
      exitCode: 1,
      message: `A call to AWS failed. ${error.name}: Why.`,
    });
  });
});

test.each([
  awsError('AccessDenied', 403),
  Object.assign(new Error('Why.'), { name: 'CredentialsProviderError' }),
])(
  'the line ends with the advice of the command if the credentials do not suffice: %s',
  (error) => {
    expect(inOneLine(error, 'Ask for it.')).toMatchObject({
      message: `A call to AWS failed. ${error.name}: Why. Ask for it.`,
    });
    expect(inOneLine(error)).toMatchObject({
      message: `A call to AWS failed. ${error.name}: Why.`,
    });
  },
);

test('an error that says nothing is described by its name', () => {
  const silent = Object.assign(awsError('NoSuchThing', 404), { message: '' });
  expect(inOneLine(silent)).toMatchObject({ message: 'A call to AWS failed. NoSuchThing:' });
});

test('the advice is a sentence of its own, and follows only if AWS refused the caller', () => {
  const denied = Object.assign(awsError('AccessDenied', 403), { message: 'Denied' });
  expect(inOneLine(denied, 'Ask for it.')).toMatchObject({
    message: 'A call to AWS failed. AccessDenied: Denied. Ask for it.',
  });
  for (const other of [awsError('TimeoutError'), awsError('NoSuchThing', 404)]) {
    expect(inOneLine(other, 'Ask for it.')).toMatchObject({
      message: `A call to AWS failed. ${other.name}: Why.`,
    });
  }
});

test('an error that is not of AWS is a defect, and stays as it is', () => {
  const error = new TypeError('x is undefined');
  expect(inOneLine(error, 'Advice.')).toBe(error);
  expect(inOneLine('thrown')).toBe('thrown');
});
