import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
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
import { listVersions } from '../../../core/history/versions-table.ts';
import { startAws } from '../../support/aws.ts';
import { OUTPUTS } from '../../support/outputs.ts';

const [PAGES, PER_PAGE, LENGTH] = [20, 100, 4000];

/** A list that DynamoDB returns in pages. */
interface List {
  /** An item, and its number from 0. Nothing else has the text. */
  readonly item: (number: number, text: string) => object;
  /** What the command prints. */
  readonly lines: (table: { dynamodb: DynamoDBClient; tableName: string }) => AsyncIterable<Line>;
}

const CLIENTS: List = {
  item: (number, message) => ({
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
  item: (number, promoCode) => ({ clientId: 'demo', userId: String(number), promoCode }),
  lines: async function* (table) {
    for await (const event of listPromoEvents(table, { clientId: 'demo' })) {
      yield JSON.stringify(event);
    }
  },
};

const VERSIONS: List = {
  item: (number, message) => ({
    ...{ clientId: 'demo', version: PAGES * PER_PAGE - number, digest: String(number) },
    ...{ at: '2026-07-20T10:00:00Z', source: 'published', by: 'jane', message, problems: 0 },
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
  let lines = 0;
  let page = 0;
  const atPage: { readonly lines: number; readonly memory: number }[] = [];
  const dynamodb = new DynamoDBClient({ region: 'us-east-1' });
  dynamodb.middlewareStack.add(
    () => async () => {
      if (page === 1 || page === PAGES - 1) atPage.push({ lines, memory: usedMemory() });
      const Items = Array.from({ length: PER_PAGE }, (_, index) =>
        marshall(list.item(page * PER_PAGE + index, Buffer.alloc(LENGTH, 'x').toString())),
      );
      const isLast = ++page === PAGES;
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
  expect(lines).toBeGreaterThanOrEqual(PAGES * PER_PAGE);
  const [early, late] = atPage;
  expect(late?.lines).toBeGreaterThan((PAGES - 2) * PER_PAGE);
  expect(Number(late?.memory) - Number(early?.memory)).toBeLessThan(
    (PAGES * PER_PAGE * LENGTH) / 4,
  );
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
