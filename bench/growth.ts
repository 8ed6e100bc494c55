import { BatchWriteCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Bundle } from './candidates.ts';
import { clientWith } from './client.ts';
import { inTurn, type Samples } from './statistics.ts';
import { measure, startWarm } from './warm.ts';
import { NEVER_AGAIN, USER_PREFIX, type World } from './world.ts';

const FIELDS = [1, 10, 100, 1000] as const;
const EVENTS = [1, 1000, 100_000] as const;
const CALLS = 200;
const BATCH_SIZE = 25;
const BATCHES_AT_A_TIME = 8;

/** How the time of a call grows with something. */
export interface Step {
  /** How much of it there is. */
  readonly size: number;
  /** CPU time of a call, and wall time of half of them, in microseconds. */
  readonly cpu: Samples;
  readonly p50: Samples;
  readonly answerBytes: number;
}

/** getConfig from the cache, for clients with more and more fields. */
export async function growthOfFields(
  bundle: Bundle,
  world: World,
  rounds: number,
): Promise<readonly Step[]> {
  for (const size of FIELDS) {
    const Item = clientWith(nameOf(size), size);
    await world.dynamodb.send(new PutCommand({ TableName: world.outputs.ConfigsTableName, Item }));
  }
  return grown(bundle, world, rounds, FIELDS);
}

/** promoCode/apply, for clients that have more and more promo events at the start of each round. */
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
  return grown(bundle, world, rounds, EVENTS, (clientId) => forgetCalls(world, clientId));
}

function nameOf(size: number): string {
  return `with-${size}`;
}

const WARM_UP_ROUNDS = 2;

async function grown(
  bundle: Bundle,
  world: World,
  rounds: number,
  sizes: readonly number[],
  tidyUp?: (clientId: string) => Promise<void>,
): Promise<Step[]> {
  const warm = await startWarm([bundle], world, NEVER_AGAIN);
  try {
    const taken: { size: number; cpu: number; p50: number; answerBytes: number }[] = [];
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      for (const size of inTurn(sizes, round)) {
        const measured = await measure(warm, bundle.operation, world, CALLS, 1, nameOf(size));
        if (round >= 0) taken.push({ size, ...measured });
        await tidyUp?.(nameOf(size));
      }
    }
    return sizes.map((size) => {
      const its = taken.filter((one) => one.size === size);
      return {
        size,
        cpu: its.map(({ cpu }) => cpu),
        p50: its.map(({ p50 }) => p50),
        answerBytes: its[0]?.answerBytes ?? Number.NaN,
      };
    });
  } finally {
    warm.stop();
  }
}

/** Deletes what calls have added: their users are other ones than those of `fill`. */
async function forgetCalls({ dynamodb, outputs }: World, clientId: string): Promise<void> {
  const TableName = outputs.PromoEventsTableName;
  const pages = paginateQuery(
    { client: dynamodb, pageSize: BATCH_SIZE },
    {
      TableName,
      KeyConditionExpression: 'clientId = :clientId AND begins_with(eventId, :user)',
      ExpressionAttributeValues: { ':clientId': clientId, ':user': USER_PREFIX },
      ProjectionExpression: 'clientId, eventId',
    },
  );
  for await (const { Items = [] } of pages) {
    const requests = Items.map((Key) => ({ DeleteRequest: { Key } }));
    if (requests.length > 0) {
      await dynamodb.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    }
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
