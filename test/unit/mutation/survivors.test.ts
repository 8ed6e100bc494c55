import { expect, test } from 'vitest';
import { type Equivalent, type Report, unexpected } from '../../mutation/survivors.ts';

const SOURCE = 'const a = 1;\nif (a > 1 &&\n  a < 3) go();\n';
const ONE = { start: { line: 1, column: 11 }, end: { line: 1, column: 12 } };
const CONDITION = { start: { line: 2, column: 5 }, end: { line: 3, column: 8 } };

const mutant = (status: string, location: typeof ONE, replacement: string) => ({
  status,
  location,
  replacement,
  mutatorName: 'Any',
});
const report = (...mutants: ReturnType<typeof mutant>[]): Report => ({
  files: { 'core/a.ts': { source: SOURCE, mutants } },
});
const equivalent = (code: string, replacement: string, file = 'core/a.ts'): Equivalent => ({
  ...{ file, code, replacement },
  reason: 'It makes no difference.',
});

test.each(['Survived', 'NoCoverage'])('a mutant that is %s is named with its place', (status) => {
  const killed = mutant('Killed', ONE, '0');
  const left = mutant(status, CONDITION, 'true');
  for (const mutants of [
    [killed, left],
    [left, killed],
  ]) {
    expect(unexpected(report(...mutants), [])).toEqual([
      'core/a.ts:2:5 No test fails when `a > 1 && a < 3` is `true`.',
    ]);
  }
});

test.each(['Killed', 'Timeout', 'Ignored', 'CompileError'])('one that is %s is not', (status) => {
  expect(unexpected(report(mutant(status, ONE, '0')), [])).toEqual([]);
});

test('a survivor that is listed is expected, with this code, this replacement and this file', () => {
  const survivors = report(mutant('Survived', ONE, '0'));
  expect(unexpected(survivors, [equivalent('1', '0')])).toEqual([]);
  for (const other of [
    equivalent('1', '2'),
    equivalent('2', '0'),
    equivalent('1', '0', 'core/b.ts'),
  ]) {
    expect(unexpected(survivors, [other])[0]).toBe('core/a.ts:1:11 No test fails when `1` is `0`.');
  }
});

test('a listed one that did not survive is named, unless its file was not part of the run', () => {
  const killed = report(mutant('Killed', ONE, '0'));
  expect(unexpected(killed, [equivalent('1', '0'), equivalent('1', '0', 'core/b.ts')])).toEqual([
    'core/a.ts The list of equivalent mutants names `1` as `0`, which did not survive.',
  ]);
});
