import type { TestProject } from 'vitest/node';

/** The environment variable that names the folder of the cloud assembly. */
export const CLOUD_ASSEMBLY = 'MUTATION_CLOUD_ASSEMBLY';

/** Provides the cloud assembly that was synthesized before the run, from the code without mutants. */
export default function setup({ provide }: TestProject): void {
  provide('cloudAssembly', process.env[CLOUD_ASSEMBLY] ?? '');
}
