import { readDocument } from 'customer-data-api/testing/documents/document';
import { expect, test } from 'vitest';
import { customerDataCommand } from '../../command-line.ts';

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
