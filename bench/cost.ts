import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { median } from 'simple-statistics';
import { MEMORY_MEGABYTES } from '../lib/service-function.ts';
import type { Operation } from './candidates.ts';
import type { Call, Cold, Costs, Warm } from './figures.ts';
import { promoEvent } from './growth.ts';
import { PRICES } from './prices.ts';
import { CLIENT, type World } from './world.ts';

/** With so many megabytes Lambda gives one CPU. */
const MEMORY_OF_A_CPU = 1769;
/** Of so many calls one starts a function. */
export const CALLS_PER_COLD_START = 200;
/** Of so many calls one finds that the client's item has to be read again. */
export const CALLS_PER_READ = 20;

/** Milliseconds of a call. */
interface Times {
  readonly wall: number;
  readonly cpu: number;
}

/** What decides the price of a call; times in milliseconds. */
interface Usage {
  readonly operation: Operation;
  /** Of a call that finds the client's item in the cache, and of one that reads it. */
  readonly cached: Times;
  readonly uncached: Times;
  readonly start: number;
  readonly firstCall: number;
  /** Which part of the calls reads the client's item, from 0 to 1. */
  readonly reads: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly answerBytes: number;
}

/** Dollars for a million calls, by what they are paid for. */
export interface Cost {
  readonly gateway: number;
  readonly lambda: number;
  readonly dynamodb: number;
  readonly transfer: number;
  readonly total: number;
}

/** From what was measured, and from the units that DynamoDB counts for the two items. */
export async function costs(
  cold: readonly Cold[],
  warm: readonly Warm[],
  { dynamodb, outputs }: World,
): Promise<Costs[]> {
  const { ConsumedCapacity: read } = await dynamodb.send(
    new GetCommand({
      TableName: outputs.ConfigsTableName,
      Key: { clientId: CLIENT.clientId },
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  const { ConsumedCapacity: written } = await dynamodb.send(
    new PutCommand({
      TableName: outputs.PromoEventsTableName,
      Item: promoEvent(CLIENT.clientId, 0),
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  const readUnits = read?.CapacityUnits ?? Number.NaN;
  const writeUnits = written?.CapacityUnits ?? Number.NaN;

  const timesOf = (contestant: string, call: Call) => {
    const found = warm.find((one) => one.contestant === contestant && one.call === call);
    if (!found) return undefined;
    const { p50, cpu } = found.measured;
    return { wall: median(p50) / 1000, cpu: median(cpu) / 1000 };
  };
  return cold.flatMap(({ contestant, operation, measured }) => {
    const hasCache = timesOf(contestant, 'getConfig, cached') !== undefined;
    const isGetConfig = operation === 'get-config';
    // The floor has no cache, and what it applies, it applies without reading the client.
    const readsOfFloor = isGetConfig ? 1 : 0;
    const cached = timesOf(contestant, isGetConfig ? 'getConfig, cached' : 'promoCode/apply');
    const uncached = timesOf(contestant, isGetConfig ? 'getConfig, read' : 'promoCode/apply, read');
    const either = cached ?? uncached;
    if (!either) return [];
    const cost = costOf({
      operation,
      cached: either,
      uncached: uncached ?? either,
      start: median(measured.total) - median(measured.firstCall),
      firstCall: median(measured.firstCall),
      reads: hasCache ? 1 / CALLS_PER_READ : readsOfFloor,
      readUnits,
      writeUnits,
      answerBytes: median(measured.answerBytes),
    });
    return { contestant, operation, measured: cost };
  });
}

/** What a million calls of an operation cost. */
function costOf(usage: Usage): Cost {
  const seconds = billedMilliseconds(usage) / 1000;
  const writes = usage.operation === 'apply-promo-code' ? usage.writeUnits : 0;
  const gateway = PRICES.gatewayRequest * 1_000_000;
  const lambda =
    (PRICES.lambdaRequest + seconds * (MEMORY_MEGABYTES / 1024) * PRICES.lambdaGigabyteSecond) *
    1_000_000;
  const dynamodb =
    (usage.reads * usage.readUnits * PRICES.readUnit + writes * PRICES.writeUnit) * 1_000_000;
  const transfer = (usage.answerBytes / 1024 ** 3) * PRICES.gigabyteOut * 1_000_000;
  return { gateway, lambda, dynamodb, transfer, total: gateway + lambda + dynamodb + transfer };
}

/**
 * Of a call on average, a start now and then included, in whole milliseconds for each call. A function has a part of a CPU, so that
 * what takes CPU time takes longer there, and a first call, which hardly waits, takes all of that longer; a start has a whole one.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
function billedMilliseconds({ cached, uncached, reads, start, firstCall }: Usage): number {
  const slower = MEMORY_OF_A_CPU / MEMORY_MEGABYTES;
  const billed = ({ wall, cpu }: Times) => Math.ceil(wall + cpu * (slower - 1));
  const warm = reads * billed(uncached) + (1 - reads) * billed(cached);
  const cold = Math.ceil(start + firstCall * slower);
  return warm + (cold - warm) / CALLS_PER_COLD_START;
}
