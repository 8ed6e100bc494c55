import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CpuGroups, cpuShare, NoCpuGroupsError } from '../lambda/cpu-groups.ts';

const skipWithoutGroups = (skip: () => void) => (error: unknown) => {
  if (!(error instanceof NoCpuGroupsError)) throw error;
  skip();
  return undefined;
};

const groups = await CpuGroups.open().catch(skipWithoutGroups(() => {}));

test('a function with 512 MB has 0.29 of a CPU', () => {
  expect(cpuShare(512)).toBeCloseTo(0.29, 2);
  expect(cpuShare(1769)).toBe(1);
});

test.skipIf(!groups)(
  'this process has precedence until that ends, and so have those that it starts meanwhile',
  async ({ skip }) => {
    const groupsOf = (pid: number | string = 'self') => readFile(`/proc/${pid}/cgroup`, 'utf8');
    const before = await groupsOf();
    const precedence = await groups?.preferThisProcess().catch(skipWithoutGroups(skip));
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    expect(await groupsOf()).toContain('customer-data-api-bench');
    expect(await groupsOf(child.pid)).toContain('customer-data-api-bench');
    await precedence?.[Symbol.asyncDispose]();
    expect(await groupsOf()).toBe(before);
    expect(await groupsOf(child.pid)).toBe(before);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await groups?.removeAll();
  },
);

test.skipIf(!groups)(
  'a process can be moved into a group, which is removed at the end',
  async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const groupsOfChild = () => readFile(`/proc/${child.pid}/cgroup`, 'utf8');
    const group = await groups?.create(0.5);
    expect(await groupsOfChild()).not.toContain('customer-data-api-bench');
    await group?.add(child.pid ?? Number.NaN);
    await group?.limit(0.2);
    expect(await groupsOfChild()).toContain('customer-data-api-bench');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await group?.remove();
    await groups?.removeAll();
  },
);
