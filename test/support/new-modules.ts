/**
 * Setup of tests whose files share a worker. They share the packages, but no module of the project:
 * some read environment variables when they load, and a file can have replaced others. Nor do they
 * share environment variables that an earlier file has replaced. Only the tests of the stack, which
 * run one after the other, share the modules and the templates that they have synthesized.
 */
import { expect, vi } from 'vitest';

vi.unstubAllEnvs();
if (!expect.getState().testPath?.includes('/test/infrastructure/')) vi.resetModules();
