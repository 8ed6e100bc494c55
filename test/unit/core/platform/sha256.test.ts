import { expect, test } from 'vitest';
import { Sha256 } from '../../../../core/platform/sha256.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('SHA-256, with the example of FIPS 180-2', async () => {
  const hash = new Sha256();
  hash.update('a');
  hash.update(Buffer.from('bc'));
  expect(hex(await hash.digest())).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test.each(['Jefe', Buffer.from('Jefe')])(
  'HMAC-SHA-256, with test case 2 of RFC 4231 (%s)',
  async (secret) => {
    const hash = new Sha256(secret);
    hash.update('what do ya want for nothing?');
    expect(hex(await hash.digest())).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  },
);
