import type { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { bench as runBench } from '../../../bench/bench.ts';

/* CI reads nothing else of these commands. */

const bench = vi.fn<typeof runBench>();
const tsc = vi.fn<(...parameters: Parameters<typeof spawn>) => EventEmitter>();
const installPackages = vi.fn<() => Promise<void>>();
vi.mock('../../../bench/bench.ts', () => ({ bench }));
vi.mock('../../../bench/packages.ts', () => ({
  installPackages,
  arePackagesInstalled: async () => true,
}));
vi.mock('node:child_process', async (original) => ({ ...(await original()), spawn: tsc }));

const { argv, exitCode } = process;
beforeEach(() => {
  vi.resetModules();
  installPackages.mockResolvedValue(undefined);
  process.exitCode = undefined;
});
afterEach(() => {
  process.argv = argv;
  process.exitCode = exitCode;
  vi.resetAllMocks();
});

test.each([
  [true, undefined],
  [false, 1],
])('npm run bench, within all limits: %s, ends with the code %s', async (succeeds, code) => {
  bench.mockResolvedValue(succeeds);
  process.argv = ['node', 'bench', '--only', 'cold', 'warm', '--require-lambda', '--json', 'out'];
  await import('../../../bench/main.ts');
  expect(process.exitCode).toBe(code);
  const selection = { parts: ['cold', 'warm'], requireLambda: true };
  expect(bench).toHaveBeenCalledExactlyOnceWith(selection, { json: 'out' });
  expect(installPackages).toHaveBeenCalledBefore(bench);
});

test.each([0, 2])('the check of the types ends with the code of tsc: %s', async (code) => {
  tsc.mockImplementation(() => {
    const child = new EventEmitter();
    setImmediate(() => child.emit('exit', code));
    return child;
  });
  await import('../../../bench/check.ts');
  expect(process.exitCode).toBe(code);
});
