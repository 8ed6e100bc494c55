import { expect } from 'vitest';
import { undescribed } from '../../openapi/described.ts';

/** Fails the test when a response is none that the OpenAPI document describes. */
export function expectDescribed(path: string, status: number | undefined, body: unknown): void {
  expect(undescribed(path, status, body)).toEqual([]);
}
