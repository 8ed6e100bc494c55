import { readDocument } from 'customer-data-api/testing/documents/document';
import { groupsIn } from 'customer-data-api/testing/documents/tables';
import { EXIT_CODES } from 'customer-data-api-deployment/program';
import { expect, test } from 'vitest';
import { customerDataCommand } from '../../command-line.ts';

/* The lists in docs/commands.md are complete, and every entry exists. */

test('commands.md lists each command', async () => {
  const { commands } = await customerDataCommand(process);
  const existing = commands.flatMap((group) =>
    group.commands.length === 0
      ? [group.name()]
      : group.commands.map((one) => `${group.name()} ${one.name()}`),
  );
  const { blocks } = await readDocument('docs/commands.md');
  const lines = blocks[0]?.text.split('\n') ?? [];
  const listed = lines.flatMap((line) => /^[a-z]+(?: [a-z][a-z-]*)?/.exec(line)?.[0] ?? []);
  expect([...new Set(listed)].toSorted()).toEqual(existing.toSorted());
});

test('commands.md lists each code of an error, with its exit code', async () => {
  const listed = await groupsIn('docs/commands.md', 'exit code');
  expect(Object.fromEntries(listed.map(([code, group]) => [code, Number(group)]))).toEqual(
    EXIT_CODES,
  );
  expect(listed).toHaveLength(Object.keys(EXIT_CODES).length);
});
