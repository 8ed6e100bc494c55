import { expect, inject, test } from 'vitest';
import { PROMO_CODE_TOKEN_MAX } from '../../functions/apply-promo-code/operation.ts';
import { runLocalRounds } from './same-moment.ts';

/** The bytes of a page of DynamoDB. The rounds of `npm run faults` fill many, and these two. */
const PAGE_BYTES = 2 ** 20;

test('a code that is sent on many connections at the same moment is applied once', async () => {
  const connections = 30;
  const rounds = Math.ceil((1.1 * PAGE_BYTES) / (connections * PROMO_CODE_TOKEN_MAX));
  const promoCodeToken = 'x'.repeat(PROMO_CODE_TOKEN_MAX);
  const all = { rounds, connections, promoCodeToken };
  expect(await runLocalRounds(inject('cloudAssembly'), all)).toEqual([]);
});
