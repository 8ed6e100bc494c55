import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentDigest } from '../../../../core/configuration/content-digest.ts';
import { planPublication, planRollback } from '../../../../core/configuration/plan-change.ts';
import { type RecordedChange, recordChange } from '../../../../core/configuration/record-change.ts';
import { listVersions } from '../../../../core/configuration/versions-table.ts';
import { startTables, type Tables } from '../../../support/tables.ts';

/* An item may have 400 KB, and so may a version, which has more attributes. */

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

interface Client {
  readonly clientId: string;
  readonly appIds: readonly string[];
  readonly userPoolClientIds?: readonly string[];
  readonly fields: readonly object[];
  readonly lastFieldId: number;
}

const SMALL: Client = { clientId: 'pizza', appIds: ['key'], fields: [], lastFieldId: 0 };
/** The largest item that DynamoDB accepts, but for a few bytes. */
const LARGE: Client = { ...SMALL, fields: [{ text: 'x'.repeat(400 * 1024 - 100) }] };

const record = (sequenceNumber: number, before: Client | undefined, after: Client) =>
  recordChange(
    tables.configurations,
    {
      clientId: after.clientId,
      eventId: `event-${sequenceNumber}`,
      position: { stream: 'stream', sequenceNumber: String(sequenceNumber) },
      at: '2026-11-21T09:00:00.000Z',
      before: before && marshall(before),
      after: marshall(after),
    },
    { requiresUserPoolClientIds: false },
  );

/** The numbers of a client's versions, the newest first, and whether each lacks its content. */
async function historyOf(clientId: string): Promise<[version: number, isTooLarge: boolean][]> {
  const versions: [number, boolean][] = [];
  for await (const { version, isTooLarge } of listVersions(tables.configurations, clientId)) {
    versions.push([version, isTooLarge === true]);
  }
  return versions;
}

describe('a version that is larger than DynamoDB accepts', () => {
  let recorded: (RecordedChange | undefined)[];
  beforeAll(async () => {
    const { dynamodb, configsTableName: TableName } = tables.configurations;
    await dynamodb.send(new PutItemCommand({ TableName, Item: marshall(LARGE) }));
    await dynamodb.send(new PutItemCommand({ TableName, Item: marshall(SMALL) }));
    recorded = [
      await record(1, undefined, SMALL),
      await record(2, SMALL, LARGE),
      await record(3, LARGE, { ...LARGE, lastFieldId: 1 }),
      await record(4, { ...LARGE, lastFieldId: 1 }, SMALL),
    ];
  });

  test('is recorded without its content, and the changes after it are recorded too', async () => {
    expect(await historyOf('pizza')).toEqual([
      ...[
        [4, false],
        [3, true],
        [2, true],
        [1, false],
      ],
    ]);
    const { fields, lastFieldId } = marshall(LARGE);
    expect(recorded[1]?.version.digest).toBe(contentDigest({ fields, lastFieldId }));
    expect(recorded.map((one) => one?.version.isTooLarge)).toEqual([
      ...[undefined, true, true, undefined],
    ]);
  });

  test('is not brought back', async () => {
    await expect(planRollback(tables.configurations, 'pizza', 2)).rejects.toThrow(
      'The content of pizza@2 was too large to be recorded.',
    );
  });

  test('is nothing that a draft can be merged with', async () => {
    const base = recorded[1]?.version.digest;
    const draft = { clientId: 'pizza', base, fields: [], lastFieldId: 1 };
    await expect(planPublication(tables.configurations, draft, true)).rejects.toThrow(
      'It cannot be merged: the content of pizza@2 is not recorded.',
    );
  });

  test('is named by a conflict, which cannot say what changed since', async () => {
    const draft = { clientId: 'pizza', base: recorded[1]?.version.digest, fields: [] };
    const changed = [4, 3].flatMap((number) => [
      `  pizza@${number} at 2026-11-21T09:00:00Z, edited outside the tools`,
      '    What it changed was too large to be recorded.',
    ]);
    await expect(planPublication(tables.configurations, draft, false)).rejects.toMatchObject({
      message: ['pizza has changed meanwhile, so nothing was published:', ...changed].join('\n'),
      isMergeable: false,
    });
  });

  test('does not prevent the next one either if DynamoDB refuses it without its content', async () => {
    const clientId = 'refused';
    const userPoolClientIds = ['x'.repeat(400 * 1024 - 100)];
    await record(6, { ...SMALL, clientId, userPoolClientIds }, { ...SMALL, clientId });
    expect(await historyOf('refused')).toEqual([[1, false]]);
  });

  test('of a client that is older than its history does not prevent the next one', async () => {
    const clientId = 'older';
    await record(5, { ...LARGE, clientId }, { ...SMALL, clientId, lastFieldId: 7 });
    expect(await historyOf('older')).toEqual([
      ...[
        [2, false],
        [1, true],
      ],
    ]);
  });
});
