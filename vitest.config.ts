import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** The tests of one kind, in the folder of that name. */
function kind(
  name: string,
  test: NonNullable<TestProjectInlineConfiguration['test']> = {},
): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include: [`test/${name}/**/*.test.ts`], ...test } };
}

const withCloudAssembly = {
  globalSetup: 'test/support/cloud-assembly.ts',
  testTimeout: 30_000,
  hookTimeout: 30_000,
};

export default defineConfig({
  test: {
    setupFiles: 'test/support/setup.ts',
    env: { POWERTOOLS_LOG_LEVEL: 'SILENT' },
    projects: [
      kind('unit'),
      kind('integration', withCloudAssembly),
      kind('infrastructure', withCloudAssembly),
      kind('faults', withCloudAssembly),
    ],
  },
});
