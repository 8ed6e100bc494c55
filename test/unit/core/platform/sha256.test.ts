import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sha256 } from '../../../../core/platform/sha256.ts';
import { ANY_CHARACTER } from '../../../support/any-character.ts';

const hex = (digest: Uint8Array) => Buffer.from(digest).toString('hex');

/** The same bytes in each form in which the SDK may pass them. */
const bytes = fc.uint8Array({ minLength: 1 });
const data = fc.oneof(
  fc.string({ unit: ANY_CHARACTER }).map((text) => ({ given: text, same: Buffer.from(text) })),
  bytes.map((same) => ({ given: same, same })),
  bytes.map((same) => ({ given: same.slice().buffer, same })),
  bytes.map((same) => ({ given: Buffer.concat([Buffer.of(0), same]).subarray(1), same })),
  bytes.map((same) => ({ given: new DataView(same.buffer, same.byteOffset), same })),
);

// https://www.rfc-editor.org/rfc/rfc4231#section-4.3
test('with a secret, it is the HMAC of RFC 4231', async () => {
  const hmac = new Sha256('Jefe');
  hmac.update('what do ya want ');
  hmac.update('for nothing?');
  expect(hex(await hmac.digest())).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('with any secret and any data, it is what Node computes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(data), fc.array(data), async (secret, chunks) => {
      const hash = new Sha256(secret?.given);
      for (const { given } of chunks) hash.update(given);
      const expected = secret ? createHmac('sha256', secret.same) : createHash('sha256');
      for (const { same } of chunks) expected.update(same);
      expect(hex(await hash.digest())).toBe(expected.digest('hex'));
    }),
  );
});

test.each([undefined, 'secret'])(
  'after a reset it begins anew, with the secret %s',
  async (secret) => {
    const hash = new Sha256(secret);
    hash.update('before');
    await hash.digest();
    hash.reset();
    hash.update('after');
    const other = new Sha256(secret);
    other.update('after');
    expect(await hash.digest()).toEqual(await other.digest());
  },
);
