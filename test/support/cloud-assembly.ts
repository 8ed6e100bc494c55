import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { synthesize } from '../../local/synthesize.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the cloud assembly, bundles included, that all tests share. */
    cloudAssembly: string;
  }
}

/** Synthesizes the stack once for all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const cloudAssembly = join(folder, 'cdk.out');
  await synthesize(cloudAssembly);
  project.provide('cloudAssembly', cloudAssembly);
  return () => rm(folder, { recursive: true });
}
