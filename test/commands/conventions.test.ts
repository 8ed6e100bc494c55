import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { customerDataCommand } from '../../cli/command-line.ts';
import { customerData } from '../support/command-line.ts';
import { callsOf, checkCall } from '../support/documents/command-check.ts';

/* What holds for every command of `customer-data`. A new one is tested without being named here. */

/** The words of each command that does something. */
function wordsOf(command: Command, words: readonly string[] = []): string[][] {
  return command.commands.length === 0
    ? [[...words]]
    : command.commands.flatMap((one) => wordsOf(one, [...words, one.name()]));
}

const program = customerDataCommand(process);
const COMMANDS = wordsOf(program).map((words) => [words.join(' ')] as const);
/** Those that need no deployment. */
const OFFLINE = ['config check', 'events'];
/** Those that change something. */
const WRITING =
  /^(clients (create|set-app-clients|remove)|keys (add|revoke)|config (publish|rollback)|queue re(drive|play)|user erase)$/;

function commandOf(name: string): Command {
  const find = (command: Command, word: string) =>
    command.commands.find((one) => one.name() === word) ?? command;
  return name.split(' ').reduce(find, program);
}

const optionsOf = (name: string) => commandOf(name).options.map(({ long }) => long);

const helpOf = async (name: string, columns: number) =>
  (await customerData([...name.split(' '), '--help'], { isTerminal: true, columns })).stdout;

describe.each(COMMANDS)('customer-data %s', (name) => {
  test('has examples that are commands', async () => {
    const [, examples = ''] = (await helpOf(name, 80)).split('\nExamples:\n');
    expect(examples).toContain(`npx customer-data ${name}`);
    for (const line of examples.trim().split('\n')) {
      // Without the redirection, which the check would make.
      for (const call of await callsOf(line.replace(/ > \S+$/, ''))) await checkCall(call);
    }
  });

  test.each([80, 200])('fits its help into a terminal of %d columns', async (columns) => {
    const [help = ''] = (await helpOf(name, columns)).split('\nExamples:\n');
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  });

  test('has the options of all commands of its kind', () => {
    const isOffline = OFFLINE.includes(name);
    const expected = [
      ...(isOffline ? [] : ['--local', '--outputs', '--stack']),
      ...(WRITING.test(name) ? ['--dry-run'] : []),
    ];
    expect(optionsOf(name)).toEqual(expect.arrayContaining(expected));
  });

  test('refuses an option that it does not know, with exit code 2', async () => {
    const { code, stdout, stderr } = await customerData([...name.split(' '), '--unknown']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: /);
  });
});

describe('a command that needs a deployment', () => {
  test.each([
    [
      [],
      /^Name the deployment: --stack NAME such as CustomerDataApi-prod, --outputs FILE, or --local\.\n$/,
    ],
    [['--local', '--stack', 'x'], /cannot be used with/],
    [['--outputs', 'x', '--stack', 'x'], /cannot be used with/],
    [['--outputs', '/no/such/file'], /^The outputs file cannot be read: /],
  ])('has a mistake of usage with %j', async (args, expected) => {
    const { code, stdout, stderr } = await customerData(['clients', 'list', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
  });
});

test.each([[], ['clients'], ['nonsense'], ['clients', 'nonsense']])(
  'without a command, %j, the help or the mistake is printed, and the exit code is 2',
  async (...args) => {
    const { code, stdout, stderr } = await customerData(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^(Usage|error): /);
  },
);
