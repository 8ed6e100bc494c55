import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSides } from '../../../cli/commands/config/diff-sides.ts';
import { readVersionOrName } from '../../../cli/commands/config/version-reference.ts';
import { writeVersion } from '../../../core/history/versions-table.ts';
import { startTables, type Tables } from '../../support/tables.ts';

let tables: Tables;
let folder: string;
beforeAll(async () => {
  tables = await startTables();
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const item = { fields: [{ id: '1', fieldName: 'Car' }], lastFieldId: 5 };
  for (const name of ['pizza', 'docs', 'nothing.YML']) await tables.clients.put(name, item);
  // A field with the id 9 was removed by hand, and lastFieldId lowered.
  for (const [index, highestId] of [1, 9].entries()) {
    await writeVersion(tables.configurations, {
      ...{ clientId: 'pizza', version: index + 1, digest: '', at: '', eventId: '', highestId },
      ...{ problems: 0, keys: { appIds: [] }, position: { stream: '', sequenceNumber: '' } },
      ...{ source: 'outside', content: marshall({ ...item, lastFieldId: 2 }) },
    });
  }
});
afterAll(async () => {
  await tables.stop();
  await rm(folder, { recursive: true });
});

/** What a side is called: a file is written first. */
async function nameOf(side: string, index: number): Promise<string> {
  const [kind, lastFieldId = '', isNew, isOfNobody] = side.split(' ');
  if (kind !== 'file') return side;
  const fields = [{ id: '1', fieldName: 'Car' }, ...(isNew ? [{ fieldName: 'Pizza' }] : [])];
  const item = { clientId: isOfNobody ? 7 : 'pizza', fields };
  const last = lastFieldId === '-' ? {} : { lastFieldId: Number(lastFieldId) || lastFieldId };
  const name = join(folder, `${index}.yaml`);
  await writeFile(name, JSON.stringify({ ...item, ...last }));
  return name;
}

const cases = await readFile(new URL('../../fixtures/sides.yaml', import.meta.url), 'utf8');
type Case = { before: string; after: string; sides: string[] };

test.each<Case>(parse(cases))('$before and $after', async ({ before, after, sides }) => {
  const [one = '', other = ''] = await Promise.all([before, after].map(nameOf));
  const [old, fresh] = [one, other].map(readVersionOrName);
  const read = await readSides(tables.configurations, old ?? '', fresh ?? '');
  const found = read.map(({ content: { lastFieldId, fields } }) =>
    [lastFieldId, ...(fields as { id?: string }[]).map(({ id }) => id)].join(' '),
  );
  expect(found).toEqual(sides);
});

test('a name is a client, even if a file has it, and otherwise a file', async () => {
  const [client, file] = await readSides(tables.configurations, 'docs', 'package.json');
  expect(client).toMatchObject({ name: 'docs', content: { clientId: 'docs' } });
  expect(file).toMatchObject({ name: 'package.json', content: { name: 'customer-data-api' } });
});

test.each([
  // DynamoDB would refuse so long a key, with words of its own.
  ...['no-such-file', 'x'.repeat(3000)].map((name) => ({ name, code: 'noSuchClient' })),
  // A path is a file, even if a client is called so.
  ...['menus/pizza', 'menus\\pizza', 'no.yaml', 'nothing.YML'].map((name) => ({
    ...{ name, code: 'unreadableFile' },
  })),
])('$name is neither', async ({ name, code }) => {
  const reading = readSides(tables.configurations, 'pizza', name);
  await expect(reading).rejects.toMatchObject({ code });
});
