import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sha256 } from '../../../../core/aws/sha256.ts';
import { ANY_CHARACTER } from '../../../support/any-character.ts';

/** The same bytes in each form in which the SDK may pass them. */
const bytes = fc.uint8Array({ minLength: 1 });
const data = fc.oneof(
  fc.string({ unit: ANY_CHARACTER }).map((text) => ({ given: text, same: Buffer.from(text) })),
  bytes.map((same) => ({ given: same, same })),
  bytes.map((same) => ({ given: same.slice().buffer, same })),
  bytes.map((same) => ({ given: Buffer.concat([Buffer.of(0), same]).subarray(1), same })),
  bytes.map((same) => ({ given: new DataView(same.buffer, same.byteOffset), same })),
);

test('with any secret and any data, it is what Node computes, also after a reset', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(data), fc.array(data), async (secret, chunks) => {
      const hash = new Sha256(secret?.given);
      const expected = secret ? createHmac('sha256', secret.same) : createHash('sha256');
      for (const { same } of chunks) expected.update(same);
      const digest = expected.digest();
      for (let times = 0; times < 2; times++) {
        for (const { given } of chunks) hash.update(given);
        expect(Buffer.from(await hash.digest())).toEqual(digest);
        hash.reset();
      }
    }),
  );
});
