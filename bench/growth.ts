import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { clientWith } from './client.ts';
import type { Bundle } from './contestants.ts';
import type { Samples } from './statistics.ts';
import { measure, startWarm } from './warm.ts';
import type { World } from './world.ts';

const FIELDS = [1, 10, 100, 1000] as const;
const EVENTS = [1, 1000, 100_000] as const;
const CALLS = 200;
const BATCH_SIZE = 25;
const BATCHES_AT_A_TIME = 8;

/** How the time of a call grows with something. */
export interface Step {
  /** How much of it there is. */
  readonly size: number;
  /** CPU time of a call, in microseconds. */
  readonly cpu: Samples;
  /** Bytes of the answer. */
  readonly answerBytes?: number;
}

/** getConfig from the cache, for clients with more and more fields. */
export async function growthOfFields(
  bundle: Bundle,
  world: World,
  rounds: number,
): Promise<readonly Step[]> {
  const bytes = new Map<number, number>();
  for (const size of FIELDS) {
    const Item = clientWith(nameOf(size), size);
    await world.dynamodb.send(new PutCommand({ TableName: world.outputs.ConfigsTableName, Item }));
    bytes.set(size, Buffer.byteLength(JSON.stringify(Item.fields)));
  }
  const steps = await grown(bundle, world, rounds, FIELDS);
  return steps.map((step) => ({ ...step, answerBytes: bytes.get(step.size) ?? 0 }));
}

/** promoCode/apply, for clients with more and more promo events. */
export async function growthOfEvents(
  bundle: Bundle,
  world: World,
  rounds: number,
): Promise<readonly Step[]> {
  for (const size of EVENTS) {
    const Item = clientWith(nameOf(size), 0);
    await world.dynamodb.send(new PutCommand({ TableName: world.outputs.ConfigsTableName, Item }));
    await fill(world, Item.clientId, size);
  }
  return grown(bundle, world, rounds, EVENTS);
}

function nameOf(size: number): string {
  return `with-${size}`;
}

async function grown(
  bundle: Bundle,
  world: World,
  rounds: number,
  sizes: readonly number[],
): Promise<Step[]> {
  const warm = await startWarm([bundle], world);
  try {
    const samples = new Map(sizes.map((size) => [size, [] as number[]]));
    // The first round is to get warm.
    for (let round = 0; round <= rounds; round++) {
      for (const size of sizes) {
        const { cpu } = await measure(warm, bundle.operation, world, CALLS, 1, nameOf(size));
        if (round > 0) samples.get(size)?.push(cpu);
      }
    }
    return [...samples].map(([size, cpu]) => ({ size, cpu }));
  } finally {
    warm.stop();
  }
}

async function fill(world: World, clientId: string, size: number): Promise<void> {
  const TableName = world.outputs.PromoEventsTableName;
  let written = 0;
  const writer = async () => {
    while (written < size) {
      const start = written;
      written += BATCH_SIZE;
      const count = Math.min(BATCH_SIZE, size - start);
      const requests = Array.from({ length: count }, (_, index) => ({
        PutRequest: { Item: promoEvent(clientId, start + index) },
      }));
      await world.dynamodb.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_A_TIME }, writer));
}

/** As it is stored. */
export function promoEvent(clientId: string, number: number) {
  const userId = `shopper-${number}`;
  return {
    clientId,
    eventId: `${userId}#WELCOME10#applied`,
    kind: 'applied',
    userId,
    promoCode: 'WELCOME10',
    eventType: 'promo_applied',
    source: 'profile',
    deviceId: '38400000-8cf0-11bd-b23e-10b96e40000d',
    requestDate: '2026-11-20T09:30:00.000Z',
    receivedAt: '2026-11-20T09:30:00.412Z',
  };
}
