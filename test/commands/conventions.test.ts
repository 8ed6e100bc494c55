import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { customerDataCommand } from '../../cli/command-line.ts';
import { type OperatorPolicy, PERMISSIONS } from '../../lib/operator-permissions.ts';
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
const GROUPS = program.commands
  .filter(({ commands }) => commands.length > 0)
  .map((command) => command.name());
/** Those that need no deployment. */
const OFFLINE = ['config check', 'events'];

/** The commands that have a permission of one of the policies. `--dry-run` only reads, also of a command that writes. */
function permittedBy(...policies: readonly OperatorPolicy[]): string[] {
  return PERMISSIONS.filter(({ policy }) => policies.includes(policy)).flatMap(({ commands }) =>
    commands.map((words) => words.replace(' --dry-run', '')),
  );
}
const READING = permittedBy('Viewer');
/** `smoke` needs the credentials for a deployment instead of a policy. */
const WRITING = [...permittedBy('Editor', 'OnCall'), 'smoke'];

function commandOf(name: string): Command {
  const find = (command: Command, word: string) =>
    command.commands.find((one) => one.name() === word) ?? command;
  return name.split(' ').reduce(find, program);
}

const optionsOf = (name: string) => commandOf(name).options.map(({ long }) => long);

const helpOf = async (name: string, columns: number) =>
  (
    await customerData([...name.split(' ').filter(Boolean), '--help'], {
      isTerminal: true,
      columns,
    })
  ).stdout;

describe.each(COMMANDS)('customer-data %s', (name) => {
  test('has examples that are commands', async () => {
    const [, examples = ''] = (await helpOf(name, 80)).split('\nExamples:\n');
    expect(examples).toContain(`npx customer-data ${name}`);
    for (const line of examples.trim().split('\n')) {
      // Without the redirection, which the check would make.
      for (const call of await callsOf(line.replace(/ > \S+$/, ''))) await checkCall(call);
    }
  });

  test('has the options of all commands of its kind', () => {
    const isOffline = OFFLINE.includes(name);
    const expected = [
      ...(isOffline ? [] : ['--local', '--outputs', '--stack', '--profile', '--region']),
      ...(WRITING.includes(name) ? ['--dry-run'] : []),
      ...(READING.includes(name) || !WRITING.includes(name) ? ['--json'] : []),
    ];
    const options = optionsOf(name);
    expect(options).toEqual(expect.arrayContaining(expected));
    // A command that asks has a dry run, and only commands that change something have one.
    if (options.includes('--yes')) expect(options).toContain('--dry-run');
    if (options.includes('--dry-run')) expect(WRITING).toContain(name);
  });

  test('refuses an option that it does not know, with exit code 2', async () => {
    // Without these, it would end for that reason.
    const required = commandOf(name).options.filter(({ mandatory }) => mandatory);
    const given = required.flatMap(({ long }) => [String(long), 'x']);
    const { code, stdout, stderr } = await customerData([
      ...name.split(' '),
      ...given,
      '--unknown',
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: unknown option '--unknown'/);
  });
});

describe.each(['', ...GROUPS, ...COMMANDS.flat()])('the help of customer-data %s', (name) => {
  test.each([80, 200])('fits into a terminal of %d columns', async (columns) => {
    // Examples are to be copied, so they are not broken.
    const [help = ''] = (await helpOf(name, columns)).split('\nExamples:\n');
    expect(help).toContain('Usage: customer-data');
    for (const line of help.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  });
});

describe('a command that needs a deployment', () => {
  test.each([
    [
      [],
      /^Name the deployment: --stack NAME such as CustomerDataApi-prod, --outputs FILE, or --local\.\n$/,
    ],
    [['--local', '--stack', 'x'], /cannot be used with/],
    [['--local', '--profile', 'x'], /cannot be used with/],
    [['--outputs', 'x', '--region', 'x'], /cannot be used with/],
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
