import { errors } from 'customer-data-api/operations';
import { expect, test } from 'vitest';
import { STATUS } from '../../src/testing.ts';

test('the types of the SDK list each code of the service, with its status', () => {
  const ofService = Object.values(errors).flatMap((ErrorClass) => {
    const { code, statusCode } = Object(Reflect.construct(ErrorClass, [[{ message: '' }]]));
    return typeof code === 'string' ? [[code, statusCode] as const] : [];
  });
  // The compiler compares it with the type.
  expect(STATUS).toEqual(Object.fromEntries(ofService));
});
