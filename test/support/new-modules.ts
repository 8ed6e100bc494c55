/**
 * Setup of tests whose files share a worker. They share the packages, but no module of the project:
 * some read environment variables when they load, and a file can have replaced others. Nor do they
 * share environment variables that an earlier file has replaced.
 */
import { vi } from 'vitest';

vi.unstubAllEnvs();
vi.resetModules();
