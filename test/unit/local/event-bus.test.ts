import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventBus } from '../../../local/event-bus.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
});
afterEach(() => rm(folder, { recursive: true }));

const entry = (detail: unknown) => ({
  Source: 'source',
  DetailType: 'type',
  Detail: JSON.stringify(detail),
});

async function details(): Promise<unknown[]> {
  const lines = (await readFile(join(folder, 'events.jsonl'), 'utf8')).split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line).detail);
}

test('a new bus has no events of earlier runs, unless it keeps them', async () => {
  await (await EventBus.open(folder, false)).put([entry(1)]);
  await (await EventBus.open(folder, true)).put([entry(2)]);
  expect(await details()).toEqual([1, 2]);
  await (await EventBus.open(folder, false)).put([entry(3)]);
  expect(await details()).toEqual([3]);
});

test('an entry that EventBridge would reject is reported in its place; the others become events', async () => {
  const bus = await EventBus.open(folder, false);
  const { Entries, FailedEntryCount } = await bus.put([
    { ...entry(1), DetailType: undefined },
    entry(2),
    { ...entry(3), Source: '' },
    { ...entry(4), Detail: '{' },
    entry(5),
  ]);
  expect(FailedEntryCount).toBe(3);
  const id = expect.any(String);
  const rejected = (name: string) => ({
    ErrorCode: 'InvalidArgument',
    ErrorMessage: expect.stringContaining(`Parameter ${name} is not valid.`),
  });
  expect(Entries).toEqual([
    rejected('DetailType'),
    { EventId: id },
    rejected('Source'),
    rejected('Detail'),
    { EventId: id },
  ]);
  expect(await details()).toEqual([2, 5]);
});

test('events that are put at once become whole lines, in their order', async () => {
  const bus = await EventBus.open(folder, false);
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  await Promise.all(numbers.map((number) => bus.put([entry(number)])));
  expect(await details()).toEqual(numbers);
});
