import type * as crypto from 'node:crypto';
import { createPublicKey, createVerify } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { OK } from '../../../../core/platform/metrics.ts';
import { rehearse } from '../../../../functions/api/rehearse.ts';

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof crypto>();
  return {
    ...original,
    createPublicKey: vi.fn(original.createPublicKey),
    createVerify: vi.fn(original.createVerify),
  };
});

test('what verifies the tokens of Cognito is loaded too, although the token of a rehearsal is signed with another key', async () => {
  const responder = () => async () => ({ code: OK, response: { statusCode: 200, body: '' } });
  const issuer = { issuer: 'https://issuer.example.com', userPoolClientIds: ['app'] };
  await rehearse(responder, {}, issuer);
  expect(createVerify).toHaveBeenCalledExactlyOnceWith('RSA-SHA256');
  const [key] = vi.mocked(createPublicKey).mock.results;
  expect(key?.value).toMatchObject({
    asymmetricKeyType: 'rsa',
    asymmetricKeyDetails: { modulusLength: 2048, publicExponent: 65_537n },
  });
});
