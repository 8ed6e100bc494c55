import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { confirm, confirmChange, expectConfirmation, type Question } from '../../../cli/confirm.ts';
import type { Deployment } from '../../../cli/deployment.ts';
import type { Outputs } from '../../../cli/outputs.ts';
import { CommandError, UsageError } from '../../../core/platform/command-error.ts';

function terminal(isTTY = true) {
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const stderr = Object.assign(new PassThrough(), { isTTY });
  return { stdin, stdout: new PassThrough(), stderr };
}

const deployment: Deployment = {
  stackName: 'CustomerDataApi-dev',
  outputs: { Region: 'eu-central-1' } as Outputs,
  outputsFile: undefined,
  isProduction: false,
  requiresUserPoolClientIds: false,
  options: '--stack CustomerDataApi-dev',
};

const QUESTION: Question = { deployment, question: 'Remove them?' };

/** Asks, and answers with a line. */
async function ask(answer: string, question: Partial<Question> = {}) {
  const streams = terminal();
  const confirmed = confirm(streams, { ...QUESTION, ...question });
  streams.stdin.write(`${answer}\n`);
  const isConfirmed = await confirmed;
  expect(streams.stdout.read()).toBeNull();
  return { isConfirmed, asked: String(streams.stderr.read()) };
}

test.each([
  ['y', true],
  ['Y', true],
  [' yes ', true],
  ['', false],
  ['n', false],
  ['yesterday', false],
  ['no, yes', false],
])('the answer %j is %s', async (answer, expected) => {
  const { isConfirmed, asked } = await ask(answer);
  expect(isConfirmed).toBe(expected);
  expect(asked).toContain('Remove them? [y/N] ');
});

test.each([
  ['demo', true],
  [' demo ', true],
  ['y', false],
  ['Demo', false],
  ['', false],
])('where demo has to be typed, the answer %j is %s', async (answer, expected) => {
  const { isConfirmed, asked } = await ask(answer, { typed: 'demo' });
  expect(isConfirmed).toBe(expected);
  expect(asked).toContain('Remove them? Type demo to confirm: ');
});

describe('the question names', () => {
  const asked = async (changed: Partial<Deployment>) =>
    (await ask('n', { deployment: { ...deployment, ...changed } })).asked;

  test('production, in bold red', async () => {
    expect(await asked({ stackName: 'CustomerDataApi-prod', isProduction: true })).toContain(
      '\x1b[1m\x1b[31mPRODUCTION, CustomerDataApi-prod in eu-central-1:\x1b[39m\x1b[22m Remove',
    );
  });

  test('another deployment, without colour', async () => {
    const text = await asked({});
    expect(text).toContain('CustomerDataApi-dev in eu-central-1: Remove');
    expect(text).not.toContain('\x1b[31m');
  });

  test('it as the outputs do, without what a terminal interprets', async () => {
    const outputs = { Region: '\x1b[2J\x9b31m\n' } as Outputs;
    const text = await asked({ outputs, isProduction: true });
    expect(text).toContain('CustomerDataApi-dev in \\u001b[2J\\u009b31m\\u000a:\x1b[39m');
  });

  test('the local server', async () => {
    const outputs = { Region: 'us-east-1', JwksUri: 'http://127.0.0.1:1/' } as Outputs;
    expect(await asked({ outputs })).toContain('Local server: Remove');
  });
});

test('the end of the input is a no', async () => {
  const streams = terminal();
  const confirmed = confirm(streams, QUESTION);
  streams.stdin.end();
  expect(await confirmed).toBe(false);
});

test('an interruption is a no', async () => {
  const interrupted = new AbortController();
  const confirmed = confirm(terminal(), { ...QUESTION, signal: interrupted.signal });
  interrupted.abort();
  expect(await confirmed).toBe(false);
});

test('without a terminal nobody is asked, and the error names the option', async () => {
  const streams = terminal(false);
  streams.stdin.write('y\n');
  const error = await confirm(streams, QUESTION).catch((reason) => reason);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain('--yes');
  expect(streams.stderr.read()).toBeNull();
});

test('an answer given before is not asked for, with or without a terminal', async () => {
  for (const isTTY of [true, false]) {
    const streams = terminal(isTTY);
    expect(await confirm(streams, { ...QUESTION, typed: 'demo', isAnswered: true })).toBe(true);
    expect(streams.stderr.read()).toBeNull();
  }
});

test('a change that is not confirmed ends the command, which says that nothing was changed', async () => {
  const streams = terminal();
  const confirmed = confirmChange(streams, QUESTION);
  streams.stdin.write('n\n');
  await expect(confirmed).rejects.toThrow(new CommandError('Nothing was changed.', 'notConfirmed'));
  await expect(confirmChange(streams, { ...QUESTION, isAnswered: true })).resolves.toBeUndefined();
});

test.each([{}, { yes: false, dryRun: false }])(
  'a command with %j needs a terminal before it starts its work',
  (options) => {
    expect(() => expectConfirmation(terminal(false), options)).toThrow(UsageError);
    expect(() => expectConfirmation(terminal(), options)).not.toThrow();
  },
);

test.each([{ yes: true }, { dryRun: true }])('a command with %j needs no terminal', (options) => {
  expect(() => expectConfirmation(terminal(false), options)).not.toThrow();
});
