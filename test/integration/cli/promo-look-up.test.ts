import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PromoEvent } from '../../../core/promo-events/promo-event.ts';
import { customerData } from '../../support/command-line.ts';
import { eventOf } from '../../support/promo-event.ts';
import { type Harness, startHarness } from '../../support/queue-harness.ts';

/* `promo list` when somebody asks why a code was not applied: it is stored in another way, or waits, or is a dead letter. */

let harness: Harness;
let folder: string;
beforeEach(async () => {
  harness = await startHarness();
  await harness.addClient('demo');
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterEach(async () => {
  await harness.stop();
  await rm(folder, { recursive: true });
});

async function list(...args: readonly string[]) {
  const file = join(folder, 'outputs.json');
  const outputs = { ...harness.outputs, JwksUri: 'http://127.0.0.1:1' };
  await writeFile(file, JSON.stringify({ 'CustomerDataApi-dev': outputs }));
  const { code, stdout, stderr } = await customerData([
    'promo',
    'list',
    ...args,
    '--outputs',
    file,
  ]);
  return { code, stdout, notes: stderr.trimEnd().split('\n') };
}

/** The events of a list, from each machine-readable format. */
async function listed(...args: readonly string[]) {
  const inJson = (await list(...args, '--json')).stdout.trimEnd().split('\n');
  const documents = inJson.filter(Boolean).map((line) => JSON.parse(line));
  const [, ...rows] = (await list(...args, '--csv')).stdout.trimEnd().split('\n');
  const columns = ['receivedAt', 'kind', 'promoCode', 'userId', 'eventType', 'source', 'deviceId'];
  expect(rows).toEqual(
    documents.map((event) => [...columns, 'requestDate'].map((name) => event[name] ?? '').join()),
  );
  return documents;
}

const SUMMER = eventOf('jane', { promoCode: 'SUMMER26' });
const LAST_LINE =
  "Refused requests are not stored by user: ask the app's developer for the x-amzn-RequestId.";
const isReceived = (queue: string) =>
  harness.log.some((line) => line.startsWith(`receive ${queue} `));

describe('a code or an id that differs in case or spaces', () => {
  beforeEach(() => harness.store(SUMMER, eventOf('jane', { promoCode: 'OTHER' })));

  test.each([
    [['--user', 'jane', '--code', 'summer26'], ['SUMMER26']],
    [['--user', 'jane', '--code', 'SUM MER26'], ['SUMMER26']],
    [
      ['--user', 'Jane'],
      ['OTHER', 'SUMMER26'],
    ],
    [['--user', ' jane', '--code', 'summer26'], ['SUMMER26']],
  ])('is listed as similar: %j', async (args, codes) => {
    const events = await listed('demo', ...args);
    expect(events).toEqual(
      codes.map((promoCode) =>
        expect.objectContaining({ promoCode, userId: 'jane', similar: true }),
      ),
    );
    const { code, notes } = await list('demo', ...args);
    expect(code).toBe(0);
    expect(notes.at(-1)).toBe(LAST_LINE);
  });

  test('is not listed if another event is exactly as asked for', async () => {
    await harness.store(eventOf('jane', { promoCode: 'summer26' }));
    const events = await listed('demo', '--user', 'jane', '--code', 'summer26');
    expect(events.map(({ promoCode }) => promoCode)).toEqual(['summer26']);
    expect(events[0]).not.toHaveProperty('similar');
  });

  test('is read as the service reads it, and a code that it refuses is a mistake of usage', async () => {
    await harness.store(eventOf('jane', { promoCode: 'CAFÉ' }));
    const events = await listed('demo', '--user', 'jane', '--code', ' CAFE\u0301 ');
    expect(events).toMatchObject([{ promoCode: 'CAFÉ' }]);
    expect(events[0]).not.toHaveProperty('similar');
    expect((await list('demo', '--code', 'SUMMER-2026')).code).toBe(2);
  });

  test('without similar ones, the other codes of the user are counted', async () => {
    const { stdout, notes } = await list('demo', '--user', 'jane', '--code', 'WINTER');
    expect(stdout).toBe('');
    expect(notes[1]).toMatch(/^The user has 2 promo events with other codes: /);
  });
});

describe('a code that is not in the table yet', () => {
  test('is counted in the queue, and never received from it', async () => {
    await harness.send('queue', SUMMER, eventOf('joe'));
    await harness.hold('queue', 600);
    for (const format of [[], ['--json'], ['--csv'], ['--search-dead-letters']]) {
      const { code, notes } = await list('demo', '--user', 'jane', ...format);
      expect(code).toBe(0);
      expect(notes).toContain(
        '2 codes, of any user, are waiting to be stored. Look again in a minute.',
      );
      expect(notes.at(-1)).toBe(LAST_LINE);
    }
    expect(isReceived('queue')).toBe(false);
    expect((await list('demo')).notes).toEqual([
      'No such promo event is stored.',
      '2 codes, of any user, are waiting to be stored. Look again in a minute.',
    ]);
  });

  test('is listed if it is stored while the command runs', async () => {
    await harness.send('queue', SUMMER);
    let stored: Promise<void> | undefined;
    harness.before = async ({ operation, queue }) => {
      if (operation !== 'count' || queue !== 'queue') return;
      stored ??= harness.take('queue').then(() => harness.store(SUMMER));
      await stored;
    };
    expect((await list('demo')).stdout).toContain('SUMMER26');
  });
});

describe('dead letters', () => {
  const LETTERS: PromoEvent[] = [
    { ...SUMMER, promoCodeToken: 'secret' },
    eventOf('jane', { promoCode: 'OTHER', receivedAt: '2026-11-19T00:00:00.000Z' }),
    eventOf('Jane', { promoCode: 'SUMMER26' }),
    eventOf('jane', { promoCode: 'SUMMER26', clientId: 'acme' }),
    eventOf('joe', { promoCode: 'SUMMER26' }),
  ];
  beforeEach(() => harness.send('dead-letters', ...LETTERS, 'not JSON'));

  test('are counted, and not received unless that is asked for', async () => {
    const { code, stdout, notes } = await list('demo', '--user', 'jane', '--json');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(notes.at(-2)).toMatch(/^6 dead letters, of any user, are not stored: /);
    expect(isReceived('dead-letters')).toBe(false);
  });

  test.each<[args: string[], found: string[], similar: string[]]>([
    [['--user', 'jane'], ['jane OTHER', 'jane SUMMER26'], []],
    [['--user', 'jane', '--since', '2026-11-20'], ['jane SUMMER26'], []],
    [['--user', 'jane', '--code', 'OTHER'], ['jane OTHER'], []],
    [['--user', 'jane', '--code', 'summer26'], [], ['Jane SUMMER26', 'jane SUMMER26']],
    [['--code', 'SUMMER26'], ['Jane SUMMER26', 'jane SUMMER26', 'joe SUMMER26'], []],
    [['--user', 'nobody'], [], []],
  ])('are listed with --search-dead-letters: %j', async (args, found, similar) => {
    const events = await listed('demo', '--search-dead-letters', ...args);
    const namesOf = (isSimilar: boolean) =>
      events
        .filter((event) => (event.similar === true) === isSimilar)
        .map(({ userId, promoCode }) => `${userId} ${promoCode}`)
        .sort();
    expect({ found: namesOf(false), similar: namesOf(true) }).toEqual({ found, similar });
    for (const event of events) {
      expect(event.kind).toBe('dead');
      expect(event).not.toHaveProperty('promoCodeToken');
    }
    // They can be received again at once.
    expect(await harness.drain('dead-letters')).toHaveLength(LETTERS.length + 1);
  });

  test('that somebody else has in flight cannot be searched, and the command fails', async () => {
    await harness.hold('dead-letters', 600);
    await harness.store(SUMMER);
    const args = [
      'demo',
      '--user',
      'jane',
      '--code',
      'SUMMER26',
      '--search-dead-letters',
      '--json',
    ];
    const { code, stdout, notes } = await list(...args);
    expect(code).toBe(1);
    expect(notes.at(-1)).toMatch(/ in flight elsewhere could not be searched\. Run it again /);
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ promoCode: 'SUMMER26' });
  });

  test('are released when the search is interrupted, and the command fails', async () => {
    harness.before = async ({ operation }) => {
      if (operation === 'receive') process.emit('SIGINT');
    };
    const { code, notes } = await list('demo', '--user', 'jane', '--search-dead-letters');
    expect(code).toBe(1);
    expect(notes.at(-1)).toBe('Interrupted. Run it again.');
    harness.before = async () => {};
    expect(await harness.drain('dead-letters')).toHaveLength(LETTERS.length + 1);
  });
});

describe('a client', () => {
  test.each([[], ['--csv'], ['--json'], ['--user', 'jane', '--search-dead-letters']])(
    'that never was is an error, with %j',
    async (...args) => {
      const { code, stdout, notes } = await list('nobody', ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(notes.slice(0, 1)).toEqual(['There is no client nobody.']);
    },
  );

  test('that was removed is none, whether it has promo events or not', async () => {
    await harness.addVersion('gone');
    expect((await list('gone')).code).toBe(0);
    await harness.store(eventOf('jane', { clientId: 'gone-too' }));
    expect(await list('gone-too')).toMatchObject({ code: 0, notes: [''] });
  });
});
