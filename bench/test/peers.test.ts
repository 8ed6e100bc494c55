import { expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '../../functions/api/validate-body.ts';
import * as peers from '../candidates/peers/request-body.ts';

test('peers accept request bodies up to the same size as our functions', () => {
  expect(peers.MAX_BODY_BYTES).toBe(MAX_BODY_BYTES);
});
