import { expect, test, vi } from 'vitest';
import type { Check } from '../../../../cli/smoke/checks.ts';
import type { Subject } from '../../../../cli/smoke/requests.ts';
import { apiUrlOf, runChecks, type SmokeOptions } from '../../../../cli/smoke/run.ts';
import { OUTPUTS } from '../../../support/outputs.ts';

/* What a run makes of its checks, with checks that call nothing. */

const SUBJECT = { url: 'https://api.example.com' } as Subject;

const good: Check = { name: 'good', run: async () => {} };
const skipped = { name: 'skipped', skipped: () => 'not today', run: vi.fn(async () => {}) };
const fails = (name: string, reason: unknown): Check => ({
  name,
  run: () => Promise.reject(reason),
});

async function run(checks: readonly Check[], options: Partial<SmokeOptions> = {}) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const isGood = await runChecks(checks, SUBJECT, {
    signal: new AbortController().signal,
    print: (line) => printed.push(line.replace(/ +\d+ ms/, ' 0 ms')),
    note: (line) => noted.push(line),
    ...options,
  });
  return { isGood, printed, noted };
}

test('a run is good if nothing failed, also if something was skipped', async () => {
  expect(await run([good, good])).toEqual({
    isGood: true,
    printed: ['passed 0 ms  good', 'passed 0 ms  good'],
    noted: ['2 passed, 0 failed'],
  });
  expect(await run([good, skipped])).toEqual({
    isGood: true,
    printed: ['passed 0 ms  good', 'skipped 0 ms  skipped', `${' '.repeat(18)}not today`],
    noted: ['1 passed, 0 failed, 1 skipped'],
  });
  expect(skipped.run).not.toHaveBeenCalled();
});

test('a check that fails says why, with the cause, and the others still run', async () => {
  const cause = new Error('connect ECONNREFUSED');
  const { isGood, printed, noted } = await run([
    fails('unreachable', new TypeError('fetch failed', { cause })),
    fails('wrong', new Error('not equal\n\nto that')),
    fails('silent', new Error('')),
    fails('odd', 'a string'),
    good,
  ]);
  expect(isGood).toBe(false);
  const indent = ' '.repeat(18);
  expect(printed).toEqual([
    ...['failed 0 ms  unreachable', `${indent}fetch failed: connect ECONNREFUSED`],
    ...['failed 0 ms  wrong', `${indent}not equal`, `${indent}to that`],
    'failed 0 ms  silent',
    ...['failed 0 ms  odd', `${indent}a string`],
    'passed 0 ms  good',
  ]);
  expect(noted).toEqual(['1 passed, 4 failed']);
});

test('the times of checks stand in a column, and long lines are broken beside it', async () => {
  const printed: string[] = [];
  const long = fails('a check with a long name', new Error('it did not do what it should'));
  await run([good, long], { columns: 36, print: (line) => printed.push(line) });
  expect(printed.map((line) => line.replace(/ [ \d]{4}\d ms/, ' _____ ms'))).toEqual([
    'passed  _____ ms  good',
    'failed  _____ ms  a check with a',
    '                  long name',
    '                  it did not do what',
    '                  it should',
  ]);
});

test('an interruption ends a run after the check that runs, and the run is not good', async () => {
  const interrupted = new AbortController();
  const last: Check = { name: 'last', run: async () => interrupted.abort() };
  expect(await run([good, last, good], { signal: interrupted.signal })).toEqual({
    isGood: false,
    printed: ['passed 0 ms  good', 'passed 0 ms  last'],
    noted: ['Interrupted: the remaining checks did not run.', '2 passed, 0 failed'],
  });
});

test('with --json, each check is a document, with the reason if there is one', async () => {
  const { printed } = await run([good, skipped, fails('wrong', new Error('Why.'))], { json: true });
  const milliseconds = expect.any(Number);
  expect(printed.map((line) => JSON.parse(line))).toEqual([
    { check: 'good', result: 'passed', milliseconds },
    { check: 'skipped', result: 'skipped', milliseconds, reason: 'not today' },
    { check: 'wrong', result: 'failed', milliseconds, reason: 'Why.' },
  ]);
});

test('the URL is the one of the option, or that of the deployment, without a slash at its end', () => {
  const deployment = { outputs: { ...OUTPUTS, ApiUrl: 'https://api.example.com/prod/' } };
  expect(apiUrlOf(deployment, {})).toBe('https://api.example.com/prod');
  expect(apiUrlOf(deployment, { apiUrl: 'https://shop.example.com' })).toBe(
    'https://shop.example.com',
  );
});
