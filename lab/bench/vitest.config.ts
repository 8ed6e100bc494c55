import { defineConfig } from 'vitest/config';
import root from '../../vitest.config.ts';

const { testTimeout, hookTimeout } = root.test ?? {};

export default defineConfig({
  test: { testTimeout: Number(testTimeout), hookTimeout: Number(hookTimeout) },
});
