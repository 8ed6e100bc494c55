import type { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installPackages } from '../../../bench/packages.ts';
import { CommandError } from '../../../core/platform/command-error.ts';

const npm = vi.hoisted(() => vi.fn<(...parameters: Parameters<typeof spawn>) => EventEmitter>());
vi.mock('node:child_process', async (original) => ({ ...(await original()), spawn: npm }));

let folder: string;
const said = vi.spyOn(process.stderr, 'write');
beforeEach(async () => {
  said.mockReturnValue(true);
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const packages = { 'node_modules/a': { version: '1.0.0' } };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
});
afterEach(async () => {
  vi.resetAllMocks();
  await rm(folder, { recursive: true });
});

const npmEndsWith = (code: number) =>
  npm.mockImplementation(() => {
    const child = new EventEmitter();
    setImmediate(() => child.emit('exit', code));
    return child;
  });

test('packages are installed by the lockfile, with all output apart from the report', async () => {
  npmEndsWith(0);
  await installPackages(folder);
  const stdio = ['ignore', process.stderr, process.stderr];
  expect(npm).toHaveBeenCalledExactlyOnceWith(
    ...(['npm', ['ci', '--prefix', folder], expect.objectContaining({ stdio })] as const),
  );
  expect(said).toHaveBeenCalledExactlyOnceWith(`Installing the packages of ${folder} …\n`);
});

test('packages that are installed are not installed again', async () => {
  await mkdir(join(folder, 'node_modules'));
  const packages = { 'node_modules/a': { version: '1.0.0' } };
  const list = join(folder, 'node_modules/.package-lock.json');
  await writeFile(list, JSON.stringify({ packages }));
  await installPackages(folder);
  expect(npm).not.toHaveBeenCalled();
  expect(said).not.toHaveBeenCalled();
});

test('an installation that fails is an error', async () => {
  npmEndsWith(1);
  await expect(installPackages(folder)).rejects.toThrow(
    new CommandError(`The packages of ${folder} could not be installed.`),
  );
});
