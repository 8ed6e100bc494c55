import { expect, test } from 'vitest';
import { AwsError, inOneLine } from '../../../cli/aws-error.ts';

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

test('an error that is not of AWS is a defect, and stays as it is', () => {
  const error = new TypeError('x is undefined');
  expect(inOneLine(error)).toBe(error);
  expect(inOneLine('thrown')).toBe('thrown');
});
