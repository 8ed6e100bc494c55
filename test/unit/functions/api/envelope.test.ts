import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { UnavailableError } from '../../../../core/platform/unavailable-error.ts';
import { envelope, errorEnvelope, type WithRemarks } from '../../../../functions/api/envelope.ts';
import * as errors from '../../../../functions/api/errors.ts';
import { withTimeout } from '../../../../functions/api/function-timeout.ts';

const EVENT = {} as APIGatewayProxyEvent;
const CONTEXT = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 10_000 } as Context;

const answer = async (
  operation: () => unknown,
  context: Partial<Context> = {},
  step: middy.MiddlewareObj<WithRemarks> = { before: () => {} },
) => {
  const handler = middy<APIGatewayProxyEvent & WithRemarks>()
    .use(envelope())
    .use(step)
    .handler(async () => operation());
  const { response } = await withTimeout((event, context) =>
    handler(event as APIGatewayProxyEvent & WithRemarks, context),
  )(EVENT, { ...CONTEXT, ...context });
  return { ...response, body: JSON.parse(response.body) };
};

test('a success has the result of the operation as data', async () => {
  expect(await answer(() => ({ message: 'done' }))).toEqual({
    statusCode: 200,
    headers: { 'Content-Type': 'application/json' },
    body: { errors: [], warnings: [], notices: [], data: { message: 'done' } },
  });
});

test('responses with the same data have the warnings and notices of their own request', async () => {
  const data = { fields: [{ fieldName: '"ü"\u2028' }] };
  for (const warnings of [['one'], [], ['"two"']]) {
    const step: middy.MiddlewareObj<WithRemarks> = {
      before: ({ event }) => void event.warnings.push(...warnings),
    };
    const { body } = await answer(() => data, {}, step);
    expect(body).toEqual({ errors: [], warnings, notices: [], data });
  }
});

test('data that is sent again is not converted to JSON again', async () => {
  const toJSON = vi.fn(() => ({ fields: [] }));
  const data = { toJSON };
  for (let times = 0; times < 2; times++) {
    expect((await answer(() => data)).body.data).toEqual({ fields: [] });
  }
  expect(toJSON).toHaveBeenCalledOnce();
});

test.each([
  new TypeError('undefined is not a function at secret.ts:7'),
  'a thrown string',
  undefined,
])('an unknown error (%s) becomes an InternalServerError without details', async (error) => {
  const { statusCode, body } = await answer(() => {
    throw error;
  });
  expect(statusCode).toBe(500);
  expect(body.data).toEqual({
    message: 'The request could not be processed. Try again later.',
    code: 'InternalServerError',
    statusCode: 500,
    retryable: true,
  });
  expect(JSON.stringify(body)).not.toMatch(/secret|thrown/);
});

test('an UnavailableError becomes a ServiceUnavailableError without its cause', async () => {
  const { statusCode, body } = await answer(() => {
    throw new UnavailableError({ cause: new Error('connect ECONNREFUSED secret') });
  });
  expect(statusCode).toBe(503);
  expect(body.data).toEqual({
    message: 'The service is temporarily unavailable. Try again later.',
    code: 'ServiceUnavailableException',
    statusCode: 503,
    retryable: true,
  });
  expect(JSON.stringify(body)).not.toMatch(/AWS|secret/);
});

test.each([
  ['an operation', () => new Promise(() => {}), undefined],
  ['a step before it', () => ({}), { before: () => new Promise(() => {}) }],
])(
  '%s that runs out of time gets a response before Lambda ends the function',
  async (_, operation, step) => {
    const context = { getRemainingTimeInMillis: () => 510 };
    const { statusCode, body } = await answer(operation, context, step);
    expect(statusCode).toBe(503);
    expect(body.data.code).toBe('ServiceUnavailableException');
  },
);

test('each problem of an error becomes an entry of errors, with the code of the error', () => {
  const error = new errors.ValidationError([
    { message: 'a is required.', pointer: '/a' },
    { message: 'b must be a string.', pointer: '/b' },
    { message: 'c is wrong.', header: 'App-Id' },
  ]);
  expect(errorEnvelope(error, ['1 value was removed'])).toEqual({
    errors: [
      { code: 'ValidationException', message: 'a is required.', pointer: '/a' },
      { code: 'ValidationException', message: 'b must be a string.', pointer: '/b' },
      { code: 'ValidationException', message: 'c is wrong.', header: 'App-Id' },
    ],
    warnings: ['1 value was removed'],
    notices: [],
    data: {
      message: 'a is required. b must be a string. c is wrong.',
      code: 'ValidationException',
      statusCode: 400,
      retryable: false,
    },
  });
});

test('the error of a wrong method names the method of every operation', () => {
  expect(new errors.MethodNotAllowedError().allow).toBe('POST');
});

test.each([
  [new errors.UnauthorizedError(), 401, 'Unauthorized', false],
  [new errors.TokenExpiredError(), 400, 'NotAuthorizedException', false],
  [new errors.ValidationError([{ message: 'x' }]), 400, 'ValidationException', false],
  [new errors.ForbiddenError(), 403, 'ForbiddenException', false],
  [new errors.ResourceNotFoundError(), 404, 'ResourceNotFoundException', false],
  [new errors.MethodNotAllowedError(), 405, 'MethodNotAllowedException', false],
  [new errors.PayloadTooLargeError('x'), 413, 'PayloadTooLargeException', false],
  [new errors.ThrottlingError(), 429, 'ThrottlingException', true],
  [new errors.ServiceUnavailableError(), 503, 'ServiceUnavailableException', true],
  [new errors.InternalServerError(), 500, 'InternalServerError', true],
])('%o has its row of the error table', (error, statusCode, code, retryable) => {
  const { data, errors, message } = errorEnvelope(error);
  expect(data).toMatchObject({ statusCode, code, retryable });
  const header = code === 'NotAuthorizedException' ? 'Authorization' : undefined;
  expect(errors).toEqual([{ code, message: expect.any(String), header }]);
  expect(message).toBe(statusCode === 401 ? 'Unauthorized' : undefined);
});
