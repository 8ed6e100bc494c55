import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type Input, lengthOf, startAws } from 'customer-data-api/testing/aws';
import { OUTPUTS } from 'customer-data-api/testing/outputs';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { IS_WHOLE } from 'customer-data-api/testing/runs';
import { temporaryFolder } from 'customer-data-api/testing/temporary-folder';
import { afterAll, expect, test } from 'vitest';
import { runCommandLine } from '../../command-line.ts';

const aws = await startAws();
afterAll(() => aws.stop());
const file = join(await temporaryFolder(), 'outputs.json');
const outputs = { ...OUTPUTS, DynamoDbEndpoint: aws.endpoint, SqsEndpoint: aws.endpoint };
await writeFile(file, JSON.stringify({ 'CustomerDataApi-dev': outputs }));

/** Runs a command whose output somebody takes. */
async function run(words: string, write: Writable['_write']): Promise<number> {
  const stdout = new Writable({ highWaterMark: 1024, write });
  const [stdin, stderr] = [new PassThrough(), new PassThrough().resume()];
  const args = [...words.split(' '), '--outputs', file];
  const code = await runCommandLine(args, { stdin, stdout, stderr });
  await new Promise<void>((resolve) => void stdout.end(resolve));
  return code;
}

const [PAGES, PER_PAGE] = [20, 50];
const LONG = 'x'.repeat(8000);

/** An item of each list, by its number from 0. */
const LISTS: Readonly<Record<string, (number: number) => object>> = {
  'clients list': (number) => ({
    clientId: `client-${number}`,
    lastChange: { id: String(number), by: 'jane', at: '2026-07-20T10:00:00.000Z', message: LONG },
  }),
  'promo list demo': (number) => eventOf(String(number), { promoCode: LONG }),
  'config history demo': (number) => ({
    clientId: 'demo',
    version: PAGES * PER_PAGE - number,
    digest: String(number),
    at: '2026-07-20T10:00:00Z',
    source: 'published',
    by: 'jane',
    message: LONG,
    problems: 0,
    keys: { appIds: ['0a1b2c3d'] },
  }),
};

/** Returns the bytes of the objects of this thread. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return getHeapStatistics().used_heap_size;
}

// It measures: `npm test` leaves it to `npm run test:search`.
test.runIf(IS_WHOLE).each(Object.entries(LISTS))(
  '%s is read as its reader takes it, and nothing of it is kept',
  async (words, itemOf) => {
    let lines = 0;
    const atPage = new Map<number, { readonly lines: number; readonly memory: number }>();
    const answer = ({ ExclusiveStartKey }: Input) => {
      const page = Number(Object(ExclusiveStartKey).page?.N ?? 0);
      if (page === 1 || page === PAGES - 1) atPage.set(page, { lines, memory: usedMemory() });
      const numbers = Array.from({ length: PER_PAGE }, (_, index) => page * PER_PAGE + index);
      const LastEvaluatedKey = page + 1 < PAGES ? { page: { N: String(page + 1) } } : undefined;
      return { Items: numbers.map((number) => marshall(itemOf(number))), LastEvaluatedKey };
    };
    aws.answer({ Scan: answer, Query: answer, GetQueueAttributes: lengthOf(0) });
    const code = await run(words, (chunk, _encoding, done) => {
      lines += String(chunk).split('\n').length - 1;
      setImmediate(done);
    });
    expect(code).toBe(0);
    expect(lines).toBeGreaterThanOrEqual(PAGES * PER_PAGE);
    const [early, late] = [atPage.get(1), atPage.get(PAGES - 1)];
    expect(late?.lines).toBeGreaterThan((PAGES - 2) * PER_PAGE);
    expect(Number(late?.memory) - Number(early?.memory)).toBeLessThan(
      (PAGES * PER_PAGE * LONG.length) / 4,
    );
  },
);

test('a list fails if the disk is full', async () => {
  aws.answer({ Scan: { Items: [marshall({ clientId: 'demo' })] } });
  const full = Object.assign(new Error('No.'), { code: 'ENOSPC' });
  expect(await run('clients list', (_chunk, _encoding, done) => done(full))).toBe(1);
});
