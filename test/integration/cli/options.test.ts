import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { customerDataCommand } from '../../../cli/command-line.ts';
import { customerData } from '../../support/command-line.ts';

/** The options that contradict each other, in every command that has both. */
const CONTRADICTIONS = [
  ['--outputs', '--local'],
  ['--stack', '--local'],
  ['--stack', '--outputs'],
  ['--profile', '--local'],
  ['--region', '--local'],
  ['--region', '--outputs'],
  ['--yes', '--dry-run'],
  ['--stage', '--local'],
  ['--stage', '--outputs'],
  ['--stage', '--stack'],
  ['--correct', '--from'],
  ['--correct', '--json'],
  ['--csv', '--json'],
] as const;

/** The commands that do something, with the words that call them. */
function leaves(command: Command, words: readonly string[] = []): [string[], Command][] {
  return command.commands.flatMap((one) => {
    const own = [...words, one.name()];
    return one.commands.length > 0 ? leaves(one, own) : [[own, one] as [string[], Command]];
  });
}

const COMMANDS = leaves(customerDataCommand(process));

/** Options of many commands: those that name the deployment, and those of all commands that read or write. */
const SHARED = /^--(local|outputs|stack|profile|region|json|yes|dry-run)\b/;

test('the arguments and options of each command are those that operators know', () => {
  const synopses = COMMANDS.map(([words, { registeredArguments, options }]) => {
    const own = options.filter(({ flags }) => !SHARED.test(flags));
    return [
      ...words,
      ...registeredArguments.map((one) => {
        const name = `${one.name()}${one.variadic ? '...' : ''}`;
        return one.required ? `<${name}>` : `[${name}]`;
      }),
      ...own.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`)),
    ].join(' ');
  });
  expect(synopses).toEqual([
    'clients list',
    'clients show <clientId>',
    'clients create <clientId> [--app-client <id...>]',
    'clients set-app-clients <clientId> <appClient...>',
    'clients remove <clientId>',
    'keys list <clientId>',
    'keys add <clientId> [--from <file>] [--correct]',
    'keys revoke <clientId> <key> [--force]',
    'config pull <clientId> [file]',
    'config check <file>',
    'config diff <before> <after>',
    'config publish <clientId> <file> [-m, --message <text>] [--merge]',
    'config history <clientId>',
    'config show <version>',
    'config rollback <version> [-m, --message <text>]',
    'preview <clientId> [file]',
    'promo list <clientId> [--user <userId>] [--code <code>] [--since <time>] [--csv] [--search-dead-letters]',
    'queue show [--inspect]',
    'queue redrive [--remove <messageId...>]',
    'queue replay [--remove <messageId...>]',
    'user erase --client <clientId> --user <userId>',
    'doctor [--stage <name>]',
    'smoke [--api-url <url>] [--expired-token <file>]',
    'events [--pattern <json>] [--no-follow] [--folder <folder>]',
  ]);
});

describe.each(CONTRADICTIONS)('%s and %s', (one, other) => {
  const having = COMMANDS.filter(([, { options }]) =>
    [one, other].every((long) => options.some((option) => option.long === long)),
  );

  test('are refused together', async () => {
    expect(having).not.toEqual([]);
    for (const [words, { options }] of having) {
      const given = options
        .filter(({ long, mandatory }) => mandatory || long === one || long === other)
        .flatMap(({ long, required }) => [long ?? '', ...(required ? ['x'] : [])]);
      const { code, stdout, stderr } = await customerData([...words, ...given]);
      expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' });
      expect(stderr).toMatch(/^error: option '[^']+' cannot be used with option '[^']+'\n/);
    }
  });
});

test('what cannot be a client or a version is refused before anything is read', async () => {
  const having = (name: string) =>
    COMMANDS.filter(([, one]) => one.registeredArguments[0]?.name() === name);
  const refusals: [string, string, RegExp][] = [
    ['clientId', 'x'.repeat(256), /\bIt must have 1 to 255 characters\.\n$/],
    ['version', 'demo', /\bName a version as ID@N, such as pizza@3\.\n$/],
  ];
  for (const [argument, value, message] of refusals) {
    expect(having(argument)).not.toEqual([]);
    for (const [words, { registeredArguments }] of having(argument)) {
      const others = registeredArguments.slice(1).map(() => 'x');
      const { code, stdout, stderr } = await customerData([...words, value, ...others]);
      expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' });
      expect(stderr).toMatch(message);
    }
  }
});

describe('without a terminal and without --yes', () => {
  /** What makes a command ask that does not always ask. */
  const ASKS: Readonly<Record<string, readonly string[]>> = { 'keys add': ['--correct'] };
  // It asks in production only, so it reads the outputs first.
  const asking = COMMANDS.filter(
    ([words, { options }]) =>
      options.some(({ long }) => long === '--yes') && words.join(' ') !== 'smoke',
  ).map(([words, command]) => ({ name: words.join(' '), words, command }));

  test.each(asking)(
    '$name fails before it reads anything',
    async ({ name, words, command: { registeredArguments, options } }) => {
      const needed = registeredArguments
        .filter(({ required }) => required)
        .map((one) => (one.name() === 'version' ? 'demo@1' : 'demo'));
      const given = options
        .filter(({ long, mandatory }) => mandatory || long === '--message')
        .flatMap(({ long }) => [String(long), 'demo']);
      const args = [...words, ...needed, ...given, ...(ASKS[name] ?? [])];
      expect(await customerData([...args, '--outputs', '/no/such/file'])).toEqual({
        ...{ code: 2, stdout: '' },
        stderr:
          'Nothing was changed: there is no terminal to ask at. Add --yes to confirm without being asked.\n',
      });
    },
  );
});

test('a clientId that no client can have is refused by every command that takes one', async () => {
  const taking = COMMANDS.filter(
    ([, { registeredArguments, options }]) =>
      registeredArguments.some((one) => one.name() === 'clientId') ||
      options.some(({ long }) => long === '--client'),
  );
  expect(taking.length).toBeGreaterThan(8);
  for (const [words, { registeredArguments, options }] of taking) {
    const given = options
      .filter(({ long, mandatory }) => mandatory || long === '--message')
      .flatMap(({ long }) => [String(long), long === '--client' ? '\u0007' : 'x']);
    const args = registeredArguments
      .filter(({ required }) => required)
      .map((one) => (one.name() === 'clientId' ? '\u0007' : 'x'));
    const { code, stdout, stderr } = await customerData([...words, ...given, ...args]);
    expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: '' });
    expect(stderr, words.join(' ')).toMatch(
      / is invalid\b.* It must not contain control characters/,
    );
  }
});
