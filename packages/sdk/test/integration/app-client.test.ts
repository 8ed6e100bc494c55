import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { PROMO_REQUEST, startService } from 'customer-data-api/testing/service';
import { signIdToken } from 'customer-data-api-deployment/local';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { applyPromoCode, type Session } from '../../src/index.ts';

const service = await startService();
afterAll(() => service.stop());

const session: Session = {
  baseUrl: service.outputs.ApiUrl,
  appId: 'demo-app-key',
  deviceId: '00000000-0000-0000-0000-000000000000',
  idToken: () => signIdToken(service.issuer),
};

test('applyPromoCode applies a code once if the request is sent again with its date', async () => {
  const requestDate = new Date();
  const results = [1, 2].map(() => applyPromoCode(session, PROMO_REQUEST, { requestDate }));
  for (const result of await Promise.all(results)) {
    expect(result).toMatchObject({
      outcome: 'success',
      data: { message: 'The promo code was applied.', outcome: 'applied' },
    });
  }
  expect(await service.promoEvents()).toHaveLength(1);
});

test.each([
  ['the package', 7, ''],
  ['the package with its form', 9.25, "export * from './form.ts';"],
])(
  '%s needs no other one, and has at most %f KB when it is minified and compressed',
  async (_, most, form) => {
    // Fails for a module of Node, and for a package.
    const { outputFiles } = await build({
      stdin: { contents: `export * from './index.ts';${form}`, resolveDir: 'packages/sdk/src' },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'neutral',
      write: false,
    });
    const [bundle] = outputFiles;
    expect(gzipSync(bundle?.contents ?? '').length).toBeLessThanOrEqual(most * 1024);
    expect(bundle?.text).not.toMatch(/\b(?:import|process|Buffer)\b/);
    // Bundlers such as Metro look for it.
    const manifest = import.meta.resolve('customer-data-api-sdk/package.json');
    expect(JSON.parse(await readFile(new URL(manifest), 'utf8'))).not.toHaveProperty(
      'dependencies',
    );
  },
);
