import { expect, test } from 'vitest';
import { AwsError, inOneLine } from '../../aws-error.ts';

/** An error as the SDK throws it. Without a status, there was no response. */
function awsError(name: string, httpStatusCode?: number): Error {
  const $metadata = { attempts: 3, ...(httpStatusCode && { httpStatusCode }) };
  return Object.assign(new Error('Why.'), { name, $metadata });
}

test.each<[code: string, status: number | undefined, ...names: string[]]>([
  // For example of an unknown host, a broken connection, or the certificate of a proxy.
  ['unreachable', undefined, 'Error', 'TimeoutError'],
  ['unreachable', 500, 'InternalServerError'],
  ['unreachable', 503, 'ServiceUnavailable'],
  ['unreachable', 429, 'TooMany'],
  ['unreachable', 400, 'ThrottlingException', 'ProvisionedThroughputExceededException'],
  ['noCredentials', 400, 'ExpiredTokenException', 'CredentialsProviderError', 'TokenProviderError'],
  ['accessDenied', 401, 'Blocked'],
  ['accessDenied', 403, 'Blocked', 'AccessDenied'],
  ['accessDenied', 400, 'AccessDeniedException', 'KMSAccessDeniedException', 'AuthFailure'],
  ['accessDenied', 400, 'InvalidSignatureException', 'RequestExpired'],
  ['awsCallFailed', 400, 'QueueDoesNotExist', 'ResourceNotFoundException', 'ValidationException'],
  // Only the rest of the second name is that of a refusal.
  ['awsCallFailed', 400, 'InvalidParameterException', 'NoRequestExpired'],
  ['awsCallFailed', 404, 'NoSuchThing'],
])('the code is %s if the status is %s, and the name %s', (code, status, ...names) => {
  for (const name of names) {
    const error = inOneLine(awsError(name, status));
    expect(error).toBeInstanceOf(AwsError);
    expect(error).toMatchObject({ code });
  }
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
