import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PERMISSIONS } from 'customer-data-api/permissions';
import { expect, inject, test } from 'vitest';
import { customerDataCommand } from '../../command-line.ts';
import { checkCall } from '../support/documents/command-check.ts';

test('the permissions name each command that calls AWS, and no other', async () => {
  const existing = (await customerDataCommand(process)).commands.flatMap((group) =>
    group.commands.length > 0
      ? group.commands.map((command) => ({ name: `${group.name()} ${command.name()}`, command }))
      : [{ name: group.name(), command: group }],
  );
  const permitted = new Set(PERMISSIONS.flatMap(({ commands }) => commands));
  const needNone = ['config check', 'promo copy', 'promo import', 'smoke'];
  const callsAws = existing.filter(({ name }) => !needNone.includes(name));
  expect(callsAws.map(({ name }) => name).filter((name) => !permitted.has(name))).toEqual([]);
  // An option alone stands for all commands that have it.
  const possible = callsAws.flatMap(({ name, command }) => [
    name,
    ...command.options.flatMap(({ long }) => [long, `${name} ${long}`]),
  ]);
  expect([...permitted].filter((words) => !possible.includes(words))).toEqual([]);
});

test('the commands that descriptions of alarms name exist', async () => {
  const file = join(inject('cloudAssembly'), 'CustomerDataApi-dev.template.json');
  const { Resources } = JSON.parse(await readFile(file, 'utf8'));
  const descriptions = Object.values<{ Properties?: { AlarmDescription?: string } }>(Resources)
    .map(({ Properties }) => Properties?.AlarmDescription ?? '')
    .join('\n');
  const commands = [...descriptions.matchAll(/"(?:\.\/customer-data )?([^"]+)"/g)];
  expect(commands.length).toBeGreaterThan(0);
  for (const [, command = ''] of commands) {
    await checkCall(['./customer-data', ...command.split(' ')]);
  }
});
