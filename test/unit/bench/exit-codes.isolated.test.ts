import type { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { bench as runBench } from '../../../bench/bench.ts';

/* CI reads nothing else of these commands. */

const bench = vi.fn<typeof runBench>();
const tsc = vi.fn<(...parameters: Parameters<typeof spawn>) => EventEmitter>();
const installPackages = vi.fn<() => Promise<void>>();
vi.mock('../../../bench/bench.ts', () => ({ bench }));
const arePackagesInstalled = vi.fn<() => Promise<boolean>>();
vi.mock('../../../bench/packages.ts', () => ({ installPackages, arePackagesInstalled }));
vi.mock('node:child_process', async (original) => ({ ...(await original()), spawn: tsc }));

const { argv, exitCode } = process;
beforeEach(() => {
  vi.resetModules();
  installPackages.mockResolvedValue(undefined);
  arePackagesInstalled.mockResolvedValue(true);
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

test('npm run bench measures all parts if none is named, and leaves Lambda out where it has to', async () => {
  bench.mockResolvedValue(true);
  process.argv = ['node', 'bench', '--chart', 'out.svg'];
  await import('../../../bench/main.ts');
  const parts = ['lambda', 'sizes', 'load', 'cold', 'warm', 'growth', 'memory'];
  const files = { chart: 'out.svg' };
  expect(bench).toHaveBeenCalledExactlyOnceWith({ parts, requireLambda: false }, files);
});

test('without the packages of the bench, its check says what was left out, and succeeds', async () => {
  arePackagesInstalled.mockResolvedValue(false);
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await import('../../../bench/check.ts');
  expect(write.mock.calls.join('')).toContain('run npm ci --prefix bench first.\n');
  write.mockRestore();
  expect(tsc).not.toHaveBeenCalled();
  expect(process.exitCode).toBeUndefined();
});

test.each([0, 2])('the check of the types ends with the code of tsc: %s', async (code) => {
  tsc.mockImplementation(() => {
    const child = new EventEmitter();
    setImmediate(() => child.emit('exit', code));
    return child;
  });
  await import('../../../bench/check.ts');
  expect(tsc.mock.lastCall?.slice(0, 2)).toEqual([
    'tsc',
    ['--project', expect.stringMatching(/\/bench\/tsconfig\.json$/)],
  ]);
  expect(process.exitCode).toBe(code);
});
