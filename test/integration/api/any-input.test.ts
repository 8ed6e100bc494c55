import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { HEADERS } from '../../../functions/http/request-headers.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { ANY_CHARACTER } from '../../support/any-character.ts';
import { runs } from '../../support/runs.ts';
import { PROMO_REQUEST, startService } from '../../support/service.ts';

/*
 * Every request gets a response in the envelope, and never a 5xx. The envelope is checked by every
 * `call` of the service.
 */

const service = await startService();
afterAll(() => service.stop());

const operation = fc.constantFrom(...OPERATIONS.map(({ path }) => path));

const TEXT = fc.string({ unit: ANY_CHARACTER });

test('any JSON body is answered', async () => {
  await fc.assert(
    fc.asyncProperty(operation, fc.json({ maxDepth: 6 }), async (path, body) => {
      const { status } = await service.call(path, { body });
      expect([400, 401]).toContain(status);
    }),
  );
});

test('any bytes as a body are answered', async () => {
  await fc.assert(
    fc.asyncProperty(operation, fc.uint8Array({ maxLength: 200 }), async (path, body) => {
      const { status } = await service.call(path, { body });
      expect(status).toBe(400);
    }),
  );
});

test('any additional property is removed or refused', async () => {
  await fc.assert(
    fc.asyncProperty(TEXT, fc.jsonValue(), async (name, value) => {
      fc.pre(name !== 'clientId');
      const answer = await service.getConfig({
        body: `{"clientId":"demo",${JSON.stringify(name)}:${JSON.stringify(value)}}`,
      });
      if (answer.status === 200) {
        expect(answer.body.warnings[0]).toContain('1 value was removed');
      } else {
        expect(answer.status).toBe(400);
      }
    }),
  );
});

test('any value of any header is answered', async () => {
  // The characters that a header's value may contain (RFC 9110 section 5.5). Others never reach the
  // service.
  const value = fc
    .array(
      fc.oneof(
        fc.constant(9),
        fc.integer({ min: 32, max: 126 }),
        fc.integer({ min: 128, max: 255 }),
      ),
      { maxLength: 200 },
    )
    .map((codes) => String.fromCharCode(...codes));
  const header = fc.constantFrom(
    ...Object.values(HEADERS).map(({ name }) => name),
    'Accept',
    'Content-Encoding',
  );
  await fc.assert(
    fc.asyncProperty(operation, header, value, async (path, name, text) => {
      const { status } = await service.call(path, {
        headers: { [name]: text },
        body: PROMO_REQUEST,
      });
      expect([200, name === 'Content-Encoding' ? 415 : 401]).toContain(status);
    }),
  );
});

test('any path and method is answered', async () => {
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
  const path = fc.webPath({ size: 'small' }).map((text) => `/x${text}`);
  await fc.assert(
    fc.asyncProperty(method, path, async (name, text) => {
      expect((await service.call(text, { method: name })).status).toBe(404);
    }),
    { numRuns: runs(50) },
  );
});

test('a HEAD request is answered without a body', async () => {
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    request(`${service.outputs.ApiUrl}/promoCode/apply`, { method: 'HEAD' }, (response) => {
      expect(response.statusCode).toBe(405);
      expect(response.headers.allow).toBe('POST');
      resolve(buffer(response));
    })
      .on('error', reject)
      .end();
  });
  expect(bytes).toHaveLength(0);
});
