/**
 * Setup of tests whose files share a worker. They share the packages, but no module of the project:
 * some read environment variables when they load, and a file can have replaced others. Nor do they
 * share environment variables that an earlier file has replaced. Only tests of the stack, which
 * come last in each worker, share modules and the templates that they have synthesized.
 */
import { expect, vi } from 'vitest';

const worker = globalThis as { hasStack?: boolean };
const { testPath = '' } = expect.getState();
const isOfStack = testPath.includes('/test/infrastructure/');

vi.unstubAllEnvs();
if (!isOfStack || !worker.hasStack) vi.resetModules();
worker.hasStack = isOfStack;
// Before the file imports anything: it replaces what the commands import.
if (testPath.includes('/test/transcripts/')) {
  await import('../../packages/command-line/test/support/transcripts/setup.ts');
}
