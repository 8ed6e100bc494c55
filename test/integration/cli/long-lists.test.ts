import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import { linesOf } from '../../../cli/clients/describe.ts';
import { historyLines } from '../../../cli/config/history.ts';
import { type Line, printAll } from '../../../cli/terminal.ts';
import { summarizeClient } from '../../../core/clients/client-summary.ts';
import { listClients } from '../../../core/clients/configs-table.ts';
import { KEPT_VERSIONS, listVersions } from '../../../core/configuration/versions-table.ts';
import { listPromoEvents } from '../../../core/promo-events/list-promo-events.ts';

type Item = Record<string, AttributeValue>;

/** A list that DynamoDB returns in pages. */
interface List {
  readonly pages: number;
  readonly perPage: number;
  /** An item, and its number from 0. Nothing else has the text. */
  readonly item: (number: number, text: string) => Item;
  /** How many characters the text has. */
  readonly length: number;
  /** What the command prints. */
  readonly lines: (table: { dynamodb: DynamoDBClient; tableName: string }) => AsyncIterable<Line>;
  /** How many of the lines are not about an item. */
  readonly headers: number;
}

/** A DynamoDB that has many items, and counts the pages that were read. */
function manyItems(list: List, onPage: (page: number) => void = () => {}) {
  const { perPage, length } = list;
  let pages = 0;
  const dynamodb = new DynamoDBClient({ region: 'us-east-1' });
  dynamodb.middlewareStack.add(
    () => async () => {
      onPage(pages);
      const Items = Array.from({ length: perPage }, (_, index) =>
        list.item(pages * perPage + index, Buffer.alloc(length, 'x').toString()),
      );
      const isLast = ++pages === list.pages;
      const output = { $metadata: {}, Items, ...(!isLast && { LastEvaluatedKey: Items.at(-1) }) };
      return { response: {}, output: output as never };
    },
    { step: 'initialize' },
  );
  return { table: { dynamodb, tableName: 'Table' }, pages: () => pages };
}

/** How many bytes the objects of this thread have. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return getHeapStatistics().used_heap_size;
}

/** An output whose reader stops after the first line until it is told to go on. */
function slowReader() {
  const lines: string[] = [];
  const stopped = Promise.withResolvers<void>();
  const stdout = new Writable({
    highWaterMark: 1024,
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      if (lines.length === 1) void stopped.promise.then(() => done());
      else done();
    },
  });
  return { stdout, lines, goOn: stopped.resolve };
}

const CLIENTS: List = {
  ...{ pages: 50, perPage: 100, length: 2000, headers: 0 },
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
  ...CLIENTS,
  pages: 20,
  item: (number, promoCode) => marshall({ clientId: 'demo', userId: String(number), promoCode }),
  lines: async function* (table) {
    for await (const event of listPromoEvents(table, { clientId: 'demo' })) {
      yield JSON.stringify(event);
    }
  },
};

const VERSIONS: List = {
  ...{ pages: 10, perPage: KEPT_VERSIONS / 10, length: 14_000, headers: 1 },
  item: (number, message) =>
    marshall({
      ...{ clientId: 'demo', version: KEPT_VERSIONS - number, digest: String(number), problems: 0 },
      ...{ at: '2026-07-20T10:00:00Z', source: 'published', by: 'jane', message },
      keys: { appIds: ['0a1b2c3d'] },
    }),
  lines: (table) => historyLines('demo', listVersions(table, 'demo'), Number.POSITIVE_INFINITY),
};

describe.each([
  ['5,000 clients', CLIENTS],
  ['2,000 promo events', PROMO_EVENTS],
  [`${KEPT_VERSIONS} versions`, VERSIONS],
])('a list of %s', (_, list) => {
  test('starts at once, and reads no more pages than its reader takes', async () => {
    const { table, pages } = manyItems(list);
    const { stdout, lines, goOn } = slowReader();
    const printing = printAll({ stdout }, list.lines(table));
    for (let turn = 0; turn < 500; turn++) await setImmediate();
    expect(lines).toHaveLength(1);
    expect(pages()).toBe(1);
    goOn();
    await printing;
    expect(lines).toHaveLength(list.headers + list.pages * list.perPage);
    expect(pages()).toBe(list.pages);
  });

  test('ends when its reader does', async () => {
    const { table, pages } = manyItems(list);
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    await expect(printAll({ stdout }, list.lines(table))).rejects.toThrow('EPIPE');
    expect(pages()).toBeLessThanOrEqual(1);
  });

  test('keeps nothing of what it has printed', async () => {
    const used: number[] = [];
    const { table } = manyItems(list, (page) => {
      if (page === 1 || page === list.pages - 1) used.push(usedMemory());
    });
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done() });
    await printAll({ stdout }, list.lines(table));
    const [early = 0, late = Number.POSITIVE_INFINITY] = used;
    expect(late - early).toBeLessThan((list.pages * list.perPage * list.length) / 4);
  });
});
