import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { generateSigningKey, type SigningKey } from '../../local/issuer.ts';
import { synthesize } from '../../local/synthesize.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the cloud assembly that all tests share. It includes the bundles. */
    cloudAssembly: string;
    /** The key that signs the tokens of all tests that do not need one of their own: generating one takes long. */
    signingKey: SigningKey;
  }
}

/**
 * Synthesizes the stack once for all tests. Vitest calls this once per project that names it, one after the other; only
 * the first call synthesizes.
 *
 * @returns the teardown function, which removes the cloud assembly.
 */
export default async function setup({ vitest }: TestProject) {
  const { cloudAssembly: shared } = vitest.getRootProject().getProvidedContext();
  if (shared) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const cloudAssembly = join(folder, 'cdk.out');
  await synthesize(cloudAssembly);
  vitest.provide('cloudAssembly', cloudAssembly);
  vitest.provide('signingKey', await generateSigningKey());
  return () => rm(folder, { recursive: true });
}
