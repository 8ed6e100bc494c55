import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateSigningKey, type SigningKey } from 'customer-data-api-deployment/local';
import { synthesize } from 'customer-data-api-local';
import type { TestProject } from 'vitest/node';
import { newFolder } from './new-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the cloud assembly that all tests share. It includes the bundles. */
    cloudAssembly: string;
    /** The file that says, when the synthesis has ended, `SYNTHESIZED` or why it failed. */
    synthesisResult: string;
    /** Golden files and the outputs in documents are rewritten: vitest runs with `--update`. */
    updates: boolean;
    /**
     * The key that signs the tokens of all tests that do not need one of their own: generating one
     * takes long.
     */
    signingKey: SigningKey;
  }
}

/**
 * Starts one synthesis for all tests. Those that need it wait for it in `synthesized.ts`; the unit
 * tests run in the meantime. Vitest calls this once per project that names it, one after the other;
 * only the first call synthesizes.
 *
 * @returns the teardown function, which removes the cloud assembly.
 */
export default async function setup({ vitest }: TestProject) {
  const { cloudAssembly: shared } = vitest.getRootProject().getProvidedContext();
  if (shared) return undefined;
  const { path, remove } = await newFolder();
  // Somebody who runs tests again and again has synthesized it.
  const { CLOUD_ASSEMBLY: existing } = process.env;
  const cloudAssembly = existing ?? join(path, 'cdk.out');
  const synthesisResult = join(path, 'synthesis-result.txt');
  const synthesis = (existing ? Promise.resolve() : synthesize(cloudAssembly))
    .then(() => 'SYNTHESIZED', String)
    .then((result) => writeFile(synthesisResult, result));
  const signingKey = await generateSigningKey();
  vitest.provide('cloudAssembly', cloudAssembly);
  vitest.provide('synthesisResult', synthesisResult);
  vitest.provide('updates', vitest.config.snapshotOptions.updateSnapshot === 'all');
  vitest.provide('signingKey', signingKey);
  return async () => {
    await synthesis;
    await remove();
  };
}
