import { errors } from 'customer-data-api/operations';
import { expect, test } from 'vitest';
import type { ErrorCodes } from '../../src/index.ts';

// The compiler compares this with the type.
const LISTED: ErrorCodes = {
  NotAuthorizedException: 400,
  ValidationException: 400,
  BadRequestException: 400,
  Unauthorized: 401,
  ForbiddenException: 403,
  ResourceNotFoundException: 404,
  MethodNotAllowedException: 405,
  PayloadTooLargeException: 413,
  UnsupportedMediaTypeException: 415,
  ThrottlingException: 429,
  InternalServerError: 500,
  ServiceUnavailableException: 503,
};

test('the types of the client list each code of the service, with its status', () => {
  const ofService = Object.values(errors).flatMap((ErrorClass) => {
    const { code, statusCode } = Object(Reflect.construct(ErrorClass, [[{ message: '' }]]));
    return typeof code === 'string' ? [[code, statusCode] as const] : [];
  });
  expect(LISTED).toEqual(Object.fromEntries(ofService));
});
