import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { summarizeClient } from '../../../admin/clients/client-summary.ts';
import { listClients } from '../../../admin/clients/configs-table.ts';
import { entriesOf } from '../../../admin/configuration/history-entries.ts';
import { listPromoEvents } from '../../../admin/promo-events/list-promo-events.ts';
import { linesOf } from '../../../cli/commands/clients/describe.ts';
import { runCommandLine } from '../../../cli/commands/command-line.ts';
import { historyLines } from '../../../cli/commands/config/history.ts';
import { type Line, printAll } from '../../../cli/terminal/terminal.ts';
import { KEPT_VERSIONS, listVersions } from '../../../core/history/versions-table.ts';
import { startAws } from '../../support/aws.ts';
import { OUTPUTS } from '../../support/outputs.ts';

/** A list that DynamoDB returns in pages. */
interface List {
  readonly pages: number;
  readonly perPage: number;
  /** An item, and its number from 0. Nothing else has the text. */
  readonly item: (number: number, text: string) => Record<string, AttributeValue>;
  /** How many characters the text has. */
  readonly length: number;
  /** What the command prints. */
  readonly lines: (table: { dynamodb: DynamoDBClient; tableName: string }) => AsyncIterable<Line>;
}

const CLIENTS: List = {
  ...{ pages: 50, perPage: 100, length: 2000 },
  item: (number, message) =>
    marshall({
      clientId: `client-${number}`,
      lastChange: { id: String(number), by: 'jane', at: '2026-07-20T10:00:00.000Z', message },
    }),
  lines: async function* (table) {
    for await (const item of listClients(table)) {
      yield* linesOf(summarizeClient(item, false), new Writable());
    }
  },
};

const PROMO_EVENTS: List = {
  ...{ pages: 20, perPage: 100, length: 2000 },
  item: (number, promoCode) => marshall({ clientId: 'demo', userId: String(number), promoCode }),
  lines: async function* (table) {
    for await (const event of listPromoEvents(table, { clientId: 'demo' })) {
      yield JSON.stringify(event);
    }
  },
};

const VERSIONS: List = {
  ...{ pages: 10, perPage: KEPT_VERSIONS / 10, length: 14_000 },
  item: (number, message) =>
    marshall({
      ...{ clientId: 'demo', version: KEPT_VERSIONS - number, digest: String(number), problems: 0 },
      ...{ at: '2026-07-20T10:00:00Z', source: 'published', by: 'jane', message },
      keys: { appIds: ['0a1b2c3d'] },
    }),
  lines: (table) =>
    historyLines(
      'demo',
      entriesOf(listVersions(table, 'demo')),
      Number.POSITIVE_INFINITY,
      async () => [],
    ),
};

/** How many bytes the objects of this thread have. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return getHeapStatistics().used_heap_size;
}

test.each([
  ['clients', CLIENTS],
  ['promo events', PROMO_EVENTS],
  ['versions', VERSIONS],
])('a list of %s is read as its reader takes it, and nothing of it is kept', async (_, list) => {
  const { pages, perPage, length } = list;
  let lines = 0;
  let page = 0;
  const atPage: { readonly lines: number; readonly memory: number }[] = [];
  const dynamodb = new DynamoDBClient({ region: 'us-east-1' });
  dynamodb.middlewareStack.add(
    () => async () => {
      if (page === 1 || page === pages - 1) atPage.push({ lines, memory: usedMemory() });
      const Items = Array.from({ length: perPage }, (_, index) =>
        list.item(page * perPage + index, Buffer.alloc(length, 'x').toString()),
      );
      const isLast = ++page === pages;
      const output = { $metadata: {}, Items, ...(!isLast && { LastEvaluatedKey: Items.at(-1) }) };
      return { response: {}, output: output as never };
    },
    { step: 'initialize' },
  );
  const stdout = new Writable({
    highWaterMark: 1024,
    write: (_chunk, _encoding, done) => {
      lines++;
      setImmediate(done);
    },
  });
  await printAll({ stdout }, list.lines({ dynamodb, tableName: 'Table' }));
  await new Promise<void>((resolve) => void stdout.end(resolve));
  expect(lines).toBeGreaterThanOrEqual(pages * perPage);
  const [early, late] = atPage;
  expect(late?.lines).toBeGreaterThan((pages - 2) * perPage);
  expect(Number(late?.memory) - Number(early?.memory)).toBeLessThan((pages * perPage * length) / 4);
});

test('a list ends with success if its reader has gone, and with the error if the disk is full', async () => {
  const aws = await startAws();
  aws.answer({ Scan: { Items: [marshall({ clientId: 'demo' })] } });
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const file = join(folder, 'outputs.json');
  const outputs = { ...OUTPUTS, DynamoDbEndpoint: aws.endpoint };
  await writeFile(file, JSON.stringify({ 'CustomerDataApi-dev': outputs }));
  const list = (code: string) => {
    const stdout = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('No.'), { code })),
    });
    const terminal = { stdin: new PassThrough(), stdout, stderr: new PassThrough() };
    return runCommandLine(['clients', 'list', '--outputs', file], terminal);
  };
  expect(await list('EPIPE')).toBe(0);
  await expect(list('ENOSPC')).rejects.toMatchObject({ code: 'ENOSPC' });
  await rm(folder, { recursive: true });
  await aws.stop();
});
