import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from '../../../cli/confirm.ts';
import { CommandError } from '../../../core/platform/command-error.ts';

function terminal() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  return { stdin, stdout: new PassThrough() };
}

const never = new AbortController().signal;

test.each([
  ['y', true],
  ['Y', true],
  [' yes ', true],
  ['', false],
  ['n', false],
  ['yesterday', false],
  ['no, yes', false],
])('the answer %j is %s', async (answer, expected) => {
  const { stdin, stdout } = terminal();
  const confirmed = confirm('Remove them?', never, { stdin, stdout });
  stdin.write(`${answer}\n`);
  expect(await confirmed).toBe(expected);
  expect(String(stdout.read())).toContain('Remove them? [y/N] ');
});

test('the end of the input is a no', async () => {
  const { stdin, stdout } = terminal();
  const confirmed = confirm('Remove them?', never, { stdin, stdout });
  stdin.end();
  expect(await confirmed).toBe(false);
});

test('an interruption is a no', async () => {
  const interrupted = new AbortController();
  const confirmed = confirm('Remove them?', interrupted.signal, terminal());
  interrupted.abort();
  expect(await confirmed).toBe(false);
});

test('without a terminal nobody is asked, and the error names the option', async () => {
  const { stdin, stdout } = { stdin: new PassThrough(), stdout: new PassThrough() };
  stdin.write('y\n');
  const error = await confirm('Remove them?', never, { stdin, stdout }).catch((reason) => reason);
  expect(error).toBeInstanceOf(CommandError);
  expect(String(error)).toContain('--yes');
  expect(stdout.read()).toBeNull();
});
