import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DynamoDBRecord } from 'aws-lambda';
import type { StreamConsumer } from '../lambda/stream-event-source.ts';

/** The file of the records that waited when the server ended, in the folder of its data. */
const FILE = 'stream-records.json';

/** The readers of streams, by the logical ids of their functions. */
type Consumers = ReadonlyMap<string, StreamConsumer>;

/** Gives the readers of streams what waited when the server ended. */
export async function restoreRecords(dataFolder: string, consumers: Consumers): Promise<void> {
  const text = await readFile(join(dataFolder, FILE), 'utf8').catch(() => '{}');
  const waiting: Record<string, DynamoDBRecord[]> = JSON.parse(text);
  for (const [id, consumer] of consumers) for (const one of waiting[id] ?? []) consumer.add(one);
}

/** Stops the readers of streams. Keeps what still waits if there is a folder. */
export async function stopConsumers(consumers: Consumers, dataFolder?: string): Promise<void> {
  const waiting = await Promise.all(
    [...consumers].map(async ([id, consumer]) => [id, await consumer.stop()]),
  );
  if (dataFolder === undefined) return;
  await writeFile(join(dataFolder, FILE), JSON.stringify(Object.fromEntries(waiting)));
}
