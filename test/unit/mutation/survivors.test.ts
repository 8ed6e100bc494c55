import { existsSync, readFileSync } from 'node:fs';
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
const equivalent = (change: Partial<Equivalent> = {}): Equivalent => ({
  ...{ file: 'core/a.ts', line: 'const a = 1;', code: '1', replacement: '0' },
  reason: 'It makes no difference.',
  ...change,
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

test('a survivor that is listed is expected, in this file and line, with this code and replacement', () => {
  const survivors = report(mutant('Survived', ONE, '0'));
  expect(unexpected(survivors, [equivalent()])).toEqual([]);
  for (const change of [
    { file: 'core/b.ts' },
    { line: 'const b = 1;' },
    { code: '2' },
    { replacement: '2' },
  ]) {
    expect(unexpected(survivors, [equivalent(change)])[0]).toBe(
      'core/a.ts:1:11 No test fails when `1` is `0`.',
    );
  }
});

test('code of several lines is listed with the line in which it starts', () => {
  const survivors = report(mutant('Survived', CONDITION, 'true'));
  const code = 'a > 1 &&\n  a < 3';
  const listed = equivalent({ line: 'if (a > 1 &&', code, replacement: 'true' });
  expect(unexpected(survivors, [listed])).toEqual([]);
});

test('a listed one that did not survive is named, unless its file was not part of the run', () => {
  const killed = report(mutant('Killed', ONE, '0'));
  expect(unexpected(killed, [equivalent(), equivalent({ file: 'core/b.ts' })])).toEqual([
    'core/a.ts The list of equivalent mutants names `1` as `0` in `const a = 1;`, which did not survive.',
  ]);
});

test('one that survived does not hide one that did not', () => {
  const survivors = report(mutant('Survived', ONE, '0'), mutant('Killed', ONE, '2'));
  expect(unexpected(survivors, [equivalent(), equivalent({ replacement: '2' })])).toEqual([
    'core/a.ts The list of equivalent mutants names `1` as `2` in `const a = 1;`, which did not survive.',
  ]);
});

test('the list of equivalent mutants names no code that has changed since', () => {
  const listed: Equivalent[] = JSON.parse(
    readFileSync('test/mutation/equivalent-mutants.json', 'utf8'),
  );
  const stale = listed.filter(({ file, line, code }) => {
    const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const lines = source.split('\n').map((text) => text.trim());
    return !lines.includes(line) || !source.includes(code);
  });
  expect(stale).toEqual([]);
});
