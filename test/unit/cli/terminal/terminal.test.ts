import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { paint, printAll, printText, printTo } from '../../../../cli/terminal/terminal.ts';

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
