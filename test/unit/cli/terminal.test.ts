import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { noteTo, paint, printAll, printText, printTo } from '../../../cli/terminal.ts';

test('data goes to the standard output, and everything else beside it', () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  printTo({ stdout })('data');
  noteTo({ stderr })('a note');
  expect([String(stdout.read()), String(stderr.read())]).toEqual(['data\n', 'a note\n']);
});

test('a list is printed line by line, and the output stays open for what follows', async () => {
  const stdout = new PassThrough();
  const lines = async function* () {
    yield* ['one', 'two'];
  };
  await printAll({ stdout }, lines());
  printTo({ stdout })('three');
  expect(String(stdout.read())).toBe('one\ntwo\nthree\n');
});

test('text is coloured on a terminal only', () => {
  const [terminal, pipe] = [Object.assign(new PassThrough(), { isTTY: true }), new PassThrough()];
  for (const stdout of [terminal, pipe]) printTo({ stdout })(['a ', paint('red', 'text')]);
  expect(String(terminal.read())).toBe('a \x1b[31mtext\x1b[39m\n');
  expect(String(pipe.read())).toBe('a text\n');
});

test('whatever is printed, in a colour or not, nothing of it is interpreted by a terminal', async () => {
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  const lines = async function* () {
    yield ['\x9b1m', paint('red', '\x1b[2J\n')];
  };
  printTo({ stdout })('\u202e\t\n');
  await printAll({ stdout }, lines());
  printText(stdout, 'a: \x7f\nb: \x85\n');
  expect(String(stdout.read())).toBe(
    '\\u202e\\u0009\\u000a\n\\u009b1m\x1b[31m\\u001b[2J\\u000a\x1b[39m\na: \\u007f\nb: \\u0085\n',
  );
});
