import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { CpuGroups, cpuShare, NoCpuGroupsError } from '../lambda/cpu-groups.ts';
import { fastestStart, type LambdaStartFigures, withMoreRounds } from '../lambda/starts.ts';
import { bundlesOf } from './stand-ins.ts';

const skipWithoutGroups = (skip: () => void) => (error: unknown) => {
  if (!(error instanceof NoCpuGroupsError)) throw error;
  skip();
  return undefined;
};
const groups = await CpuGroups.open().catch(skipWithoutGroups(() => {}));

test('a function has a share of a CPU in proportion to its memory', () => {
  expect(cpuShare(512)).toBeCloseTo(0.29, 2);
  expect(cpuShare(1769)).toBe(1);
});

test.skipIf(!groups)(
  'a process and its children have precedence until that ends',
  async ({ skip }) => {
    const groupOf = (pid: number | string = 'self') => readFile(`/proc/${pid}/cgroup`, 'utf8');
    const before = await groupOf();
    const precedence = await groups?.preferThisProcess().catch(skipWithoutGroups(skip));
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    for (const pid of ['self', child.pid]) {
      expect(await groupOf(pid)).toContain('customer-data-api-bench');
    }
    await precedence?.[Symbol.asyncDispose]();
    for (const pid of ['self', child.pid]) expect(await groupOf(pid)).toBe(before);
    const group = await groups?.create(0.5);
    await group?.add(child.pid ?? Number.NaN);
    await group?.limit(0.2);
    expect(await groupOf(child.pid)).toContain('customer-data-api-bench');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await group?.remove();
    await groups?.removeAll();
  },
);

const figures = (
  candidate: string,
  operation: LambdaStartFigures['operation'],
  samples: readonly number[],
): LambdaStartFigures => {
  const measured = { initialisation: samples, first: samples, second: samples, tenth: samples };
  return { candidate, operation, megabytes: 1024, measured };
};

test('more rounds of some candidates follow those of all, in the same order', () => {
  const all = [figures('ours', 'get-config', [10, 20]), figures('hono', 'get-config', [70, 80])];
  const more = [figures('ours', 'get-config', [15])];
  expect(withMoreRounds(all, more)).toEqual([figures('ours', 'get-config', [10, 20, 15]), all[1]]);
});

test('the best peer has the shortest start and first call of promoCode/apply, by their medians', () => {
  const peers = ['hono', 'express', 'fastify'].map(bundlesOf);
  const starts = [
    figures('express', 'get-config', [1]),
    figures('hono', 'apply-promo-code', [3, 3, 3]),
    figures('express', 'apply-promo-code', [1, 4, 4]),
    // The mean of hono is less, and so is what express takes at least.
    figures('fastify', 'apply-promo-code', [2, 2, 90]),
  ];
  expect(fastestStart(peers, starts)).toBe(peers[2]);
  expect(fastestStart([], starts)).toBeUndefined();
});
