import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VersionReference } from '../../../cli/config/reference.ts';
import { readSides } from '../../../cli/config/sides.ts';
import { writeVersion } from '../../../core/configuration/versions-table.ts';
import { startTables, type Tables } from '../../support/tables.ts';

/* What `config diff` compares: a file as it would be published over the other side. */

let tables: Tables;
let folder: string;
beforeAll(async () => {
  tables = await startTables();
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const { configurations, dynamodb } = tables;
  const content = marshall({ fields: [{ id: '1', fieldName: 'Car' }], lastFieldId: 5 });
  await dynamodb.send(
    new PutItemCommand({
      TableName: configurations.configsTableName,
      Item: { ...marshall({ clientId: 'pizza' }), ...content },
    }),
  );
  const version = {
    ...{ clientId: 'pizza', digest: 'digest', at: '2026-11-21T09:30:00Z', eventId: 'event' },
    ...{ problems: 0, keys: { appIds: [] }, position: { stream: 'arn', sequenceNumber: '1' } },
    source: 'outside',
  } as const;
  // A field with the id 9 was removed by hand, and lastFieldId lowered.
  for (const [number, highestId] of [
    [1, 3],
    [2, 9],
  ] as const) {
    const { fields } = content;
    const old = { fields, lastFieldId: { N: String(number + 1) } };
    await writeVersion(configurations, { ...version, version: number, highestId, content: old });
  }
});
afterAll(async () => {
  await tables.stop();
  await rm(folder, { recursive: true });
});

let files = 0;

/** Writes a file with a field, and perhaps a new one. */
async function file(lastFieldId?: number | string, isNew = false, clientId = 'clientId: pizza') {
  files += 1;
  const name = join(folder, `${files}.yaml`);
  const lines = [
    clientId,
    ...(lastFieldId === undefined ? [] : [`lastFieldId: ${lastFieldId}`]),
    ...['fields:', '  - id: "1"', '    fieldName: Car'],
    ...(isNew ? ['  - fieldName: Pizza'] : []),
  ];
  await writeFile(name, `${lines.join('\n')}\n`);
  return name;
}

/** The `lastFieldId` and the ids of the fields on both sides. */
async function compared(before: VersionReference | string, after: VersionReference | string) {
  const sides = await readSides(tables.configurations, before, after);
  return sides.map(({ content: { lastFieldId, fields } }) => [
    lastFieldId,
    ...(fields as { id?: string }[]).map(({ id }) => id),
  ]);
}

const STORED = [5, '1'];

describe('a file', () => {
  test.each([
    ['takes over the lastFieldId that it lacks', undefined, 5],
    ['does not lower it', 4, 5],
    ['raises it', 6, 6],
    ['keeps one that is wrong', 'x', 'x'],
  ])('%s', async (_, lastFieldId, expected) => {
    expect(await compared('pizza', await file(lastFieldId))).toEqual([STORED, [expected, '1']]);
    expect(await compared(await file(lastFieldId), 'pizza')).toEqual([[expected, '1'], STORED]);
  });

  test('is compared with a version as if it were published over that one', async () => {
    const version = { clientId: 'pizza', version: 1 };
    expect(await compared(version, await file())).toEqual([
      [2, '1'],
      [2, '1'],
    ]);
    expect(await compared(await file(1), version)).toEqual([
      [2, '1'],
      [2, '1'],
    ]);
  });

  test.each([[undefined], [4], [12]])(
    'gives a new field no id that a field ever had, with the lastFieldId %s',
    async (lastFieldId) => {
      const next = lastFieldId === 12 ? 13 : 10;
      const [, after] = await compared('pizza', await file(lastFieldId, true));
      expect(after).toEqual([next, '1', String(next)]);
    },
  );

  test('with a wrong lastFieldId has ids for its new fields all the same', async () => {
    const [, after] = await compared('pizza', await file('x', true));
    expect(after).toEqual(['x', '1', '10']);
  });

  test('of nobody is compared, too', async () => {
    const after = await file(undefined, true, 'clientId: 7');
    expect(await compared('pizza', after)).toEqual([STORED, [6, '1', '6']]);
  });
});

test('of two files, the first one is as it is, and the second one is published over it', async () => {
  expect(await compared(await file(7), await file(3))).toEqual([
    [7, '1'],
    [7, '1'],
  ]);
  expect(await compared(await file(), await file(3))).toEqual([
    [1, '1'],
    [3, '1'],
  ]);
});

test('a client is its name, and a path is a file even if a client has that name', async () => {
  const name = 'pizza';
  const [client] = await readSides(tables.configurations, name, name);
  expect(client).toMatchObject({ name, content: { clientId: 'pizza' } });
  await tables.dynamodb.send(
    new PutItemCommand({
      TableName: tables.configurations.configsTableName,
      Item: marshall({ clientId: 'nothing.YML', fields: [] }),
    }),
  );
  await expect(readSides(tables.configurations, 'nothing.YML', name)).rejects.toThrow(
    'The configuration cannot be read: there is no file nothing.YML.',
  );
});

test.each(['menus/pizza', 'menus\\pizza', 'pizza.yaml', 'pizza.yml'])(
  '%s is a path',
  async (name) => {
    await expect(readSides(tables.configurations, 'pizza', name)).rejects.toThrow(
      `The configuration cannot be read: `,
    );
  },
);

test('a name without a path is a client, even if a file is called so', async () => {
  const { configurations, dynamodb } = tables;
  const Item = marshall({ clientId: 'docs', fields: [], lastFieldId: 7 });
  await dynamodb.send(new PutItemCommand({ TableName: configurations.configsTableName, Item }));
  const [, side] = await readSides(configurations, 'pizza', 'docs');
  expect(side).toMatchObject({ name: 'docs', content: { clientId: 'docs', lastFieldId: 7 } });
});

test('a name without a path is a file if no client has it', async () => {
  const [, side] = await readSides(tables.configurations, 'pizza', 'package.json');
  expect(side).toMatchObject({ name: 'package.json', content: { name: 'customer-data-api' } });
  await expect(readSides(tables.configurations, 'pizza', 'no-such-file')).rejects.toThrow(
    'no-such-file is neither a client, nor a version such as demo@3, nor a file.',
  );
  // DynamoDB would refuse it as a key, with words of its own.
  await expect(readSides(tables.configurations, 'pizza', 'x'.repeat(3000))).rejects.toThrow(
    'x is neither a client, nor a version such as demo@3, nor a file.',
  );
});
