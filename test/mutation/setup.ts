import fc from 'fast-check';
import { vi } from 'vitest';

// Each mutant runs the tests that reach it: fewer runs of each property than npm test has.
fc.configureGlobal({ seed: 20_260_720, numRuns: 20 });

vi.mock('../../local/lambda-function.ts', () => import('./lambda-function.ts'));
