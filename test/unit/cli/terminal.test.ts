import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { lineOf } from '../../../cli/clients/describe.ts';
import { printAll } from '../../../cli/terminal.ts';
import { summarizeClient } from '../../../core/clients/client-summary.ts';
import { listClients } from '../../../core/clients/configs-table.ts';
import { listPromoEvents } from '../../../core/promo-events/list-promo-events.ts';
import { printable } from '../../../core/text.ts';

const PAGES = 50;
const PER_PAGE = 100;

/** A DynamoDB that has thousands of items, and counts the pages that were read. */
function manyItems() {
  let pages = 0;
  const dynamodb = new DynamoDBClient({ region: 'us-east-1' });
  dynamodb.middlewareStack.add(
    () => async () => {
      const Items = Array.from({ length: PER_PAGE }, (_, index) => ({
        clientId: { S: `client-${pages * PER_PAGE + index}` },
      }));
      const isLast = ++pages === PAGES;
      const output = { $metadata: {}, Items, ...(!isLast && { LastEvaluatedKey: Items.at(-1) }) };
      return { response: {}, output: output as never };
    },
    { step: 'initialize' },
  );
  return { table: { dynamodb, tableName: 'Table' }, pages: () => pages };
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

async function* clientLines(table: Parameters<typeof listClients>[0]) {
  for await (const item of listClients(table)) {
    yield lineOf(summarizeClient(item, false), new Writable());
  }
}

async function* eventLines(table: Parameters<typeof listPromoEvents>[0]) {
  for await (const event of listPromoEvents(table, { clientId: 'demo' })) {
    yield JSON.stringify(event);
  }
}

describe.each([
  ['clients', clientLines],
  ['promo events', eventLines],
])('a list of 5,000 %s', (_, linesOf) => {
  test('starts at once, and reads no more pages than its reader takes', async () => {
    const { table, pages } = manyItems();
    const { stdout, lines, goOn } = slowReader();
    const printing = printAll({ stdout }, linesOf(table));
    for (let turn = 0; turn < 500; turn++) await setImmediate();
    expect(lines).toHaveLength(1);
    expect(pages()).toBe(1);
    goOn();
    await printing;
    expect(lines).toHaveLength(PAGES * PER_PAGE);
    expect(pages()).toBe(PAGES);
  });

  test('ends when its reader does', async () => {
    const { table, pages } = manyItems();
    const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    await expect(printAll({ stdout }, linesOf(table))).rejects.toThrow('EPIPE');
    expect(pages()).toBe(1);
  });
});

test('control characters are printed so that a terminal does not interpret them', () => {
  expect(printable('a\u001b[31mb\u0007\u009b\n')).toBe('a\\u001b[31mb\\u0007\\u009b\\u000a');
  expect(printable('Zoë ☃')).toBe('Zoë ☃');
});
