import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { synthesize } from '../../local/synthesize.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the cloud assembly that all tests share. It includes the bundles. */
    cloudAssembly: string;
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
  return () => rm(folder, { recursive: true });
}
