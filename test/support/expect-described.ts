import { expect } from 'vitest';
import { responseDeviations } from '../../openapi/validation.ts';

/** Fails the test when the OpenAPI document does not describe a response. */
export function expectDescribed(path: string, status: number | undefined, body: unknown): void {
  expect(responseDeviations(path, status, body)).toEqual([]);
}
