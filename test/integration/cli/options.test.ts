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
] as const;

/** The commands that do something, with the words that call them. */
function leaves(command: Command, words: readonly string[] = []): [string[], Command][] {
  return command.commands.flatMap((one) => {
    const own = [...words, one.name()];
    return one.commands.length > 0 ? leaves(one, own) : [[own, one] as [string[], Command]];
  });
}

const COMMANDS = leaves(customerDataCommand(process));

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
