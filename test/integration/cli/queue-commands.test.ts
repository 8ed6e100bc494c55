import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { customerData, type Surroundings } from '../../support/command-line.ts';
import { eventOf } from '../../support/promo-event.ts';
import { type Harness, startHarness } from '../../support/queue-harness.ts';

/* `queue` and `user erase` as commands: what they make of their options, of a no, and of Ctrl-C. */

let harness: Harness;
let folder: string;
beforeEach(async () => {
  harness = await startHarness();
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterEach(async () => {
  await harness.stop();
  await rm(folder, { recursive: true });
});

/** Runs a command for a local server whose two dead-letter queues are one. */
async function command(words: string, surroundings?: Surroundings) {
  const file = join(folder, 'outputs.json');
  const outputs = {
    ...{ ...harness.outputs, JwksUri: 'http://127.0.0.1:1' },
    PromoEventsBusDeadLetterQueueUrl: harness.outputs.PromoEventsDeadLetterQueueUrl,
  };
  await writeFile(file, JSON.stringify({ 'CustomerDataApi-dev': outputs }));
  return customerData([...words.split(' '), '--outputs', file], surroundings);
}

const FOREIGN = ['{"some":"thing"}', '{"some":"other thing"}'];

/** The ids of the dead letters that are not promo events. */
async function foreignIds(): Promise<string[]> {
  const { deadLetters } = JSON.parse((await command('queue show --json')).stdout);
  return deadLetters.others.map(({ messageId }: { messageId: string }) => messageId);
}

describe.each([
  ['redrive', 'messages', /^Promo events in the dead-letter queue: 0\n/],
  ['replay', 'dead letters', /^Dead letters: 2\. Events that can be published: 0$/m],
] as const)('queue %s --remove', (name, what, shown) => {
  beforeEach(() => harness.send('dead-letters', ...FOREIGN));

  test('removes nothing in a dry run', async () => {
    const [id] = await foreignIds();
    const { code, stdout } = await command(`queue ${name} --remove ${id} --dry-run`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(shown) });
    expect(await harness.drain('dead-letters')).toEqual(FOREIGN.toSorted());
  });

  test('shows what is there beside its question, and removes nothing if the answer is no', async () => {
    const ids = await foreignIds();
    const { code, stdout, stderr } = await command(`queue ${name} --remove ${ids.join(' ')}`, {
      ...{ isTerminal: true, typed: 'n\n' },
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/Nothing was changed\.\n$/);
    expect(stderr).toContain(`Local server: Remove 2 ${what} for good? [y/N] `);
    expect(await harness.drain('dead-letters')).toEqual(FOREIGN.toSorted());
  });

  test('removes all that are named if the answer is yes', async () => {
    const ids = await foreignIds();
    const { code } = await command(`queue ${name} --remove ${ids.join(' ')}`, {
      ...{ isTerminal: true, typed: 'y\n' },
    });
    expect(code).toBe(0);
    expect(await harness.drain('dead-letters')).toEqual([]);
  });
});

test.each([
  ...['queue show', 'queue redrive --dry-run', 'queue redrive --yes'],
  ...['queue replay --dry-run', 'queue replay --yes'],
  ...[
    'user erase --client demo --user jane --dry-run',
    'user erase --client demo --user jane --yes',
  ],
])('%s ends after its batches when it is interrupted, and fails', async (words) => {
  const events = Array.from({ length: 100 }, (_, user) => eventOf(`joe-${user}`));
  await harness.store(eventOf('jane'));
  await harness.send('dead-letters', ...events);
  let isInterrupted = false;
  harness.before = async ({ operation, queue }) => {
    if (isInterrupted || operation !== 'receive' || queue !== 'dead-letters') return;
    isInterrupted = true;
    process.emit('SIGINT');
  };
  const { code, stderr } = await command(words);
  expect(stderr).toMatch(/^Interrupted\. .*un it again\.\n$/m);
  expect(code).toBe(1);
  // A batch of each of eight workers.
  const { PromoEventsDeadLetterQueueUrl } = harness.outputs;
  const receives = harness.receives.filter(
    (request) => Object(request).QueueUrl === PromoEventsDeadLetterQueueUrl,
  );
  expect(receives.length).toBeLessThanOrEqual(8);
  expect(await harness.stored()).toHaveLength(1);
  harness.before = async () => {};
  const left = [...(await harness.drain('dead-letters')), ...(await harness.drain('queue'))];
  expect(left).toHaveLength(events.length);
});
