import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { noteTo, paint, printAll, printTo } from '../../../cli/terminal.ts';

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
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  expect(paint('red', 'text', terminal)).toBe('\x1b[31mtext\x1b[39m');
  expect(paint('red', 'text', new PassThrough())).toBe('text');
});
