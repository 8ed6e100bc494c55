import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Bundle } from '../candidates/candidate.ts';
import { clientRecord } from '../environment/client-record.ts';
import { type Environment, READ_ONCE } from '../environment/environment.ts';
import { erasePromoEventsOfCalls, storePromoEvents } from '../environment/promo-events.ts';
import { inTurn, type Samples } from './rounds.ts';
import { measureCalls, startWarmFunction } from './warm-function.ts';

const FIELDS = [1, 10, 100, 1000] as const;
const PROMO_EVENTS = [1, 1000, 100_000] as const;
const CALLS_PER_ROUND = 200;
const WARM_UP_ROUNDS = 2;

/** The calls for one number of fields or events. */
export interface GrowthStep {
  readonly size: number;
  /** CPU time and median wall time of a call, in microseconds. */
  readonly cpu: Samples;
  readonly p50: Samples;
  readonly responseBytes: number;
}

/** Measures cached getConfig calls for clients with more and more fields. */
export async function growthWithFields(
  bundle: Bundle,
  environment: Environment,
  rounds: number,
): Promise<readonly GrowthStep[]> {
  for (const size of FIELDS) await storeClient(environment, size, size);
  return growth(bundle, environment, rounds, FIELDS);
}

/**
 * Measures promoCode/apply for clients that have more and more promo events when a round starts.
 */
export async function growthWithPromoEvents(
  bundle: Bundle,
  environment: Environment,
  rounds: number,
): Promise<readonly GrowthStep[]> {
  for (const size of PROMO_EVENTS) {
    await storeClient(environment, size, 0);
    await storePromoEvents(environment, clientIdOf(size), size);
  }
  const afterEach = (clientId: string) => erasePromoEventsOfCalls(environment, clientId);
  return growth(bundle, environment, rounds, PROMO_EVENTS, afterEach);
}

function clientIdOf(size: number): string {
  return `with-${size}`;
}

async function storeClient({ documentClient, outputs }: Environment, size: number, fields: number) {
  const Item = clientRecord(clientIdOf(size), fields);
  await documentClient.send(new PutCommand({ TableName: outputs.ConfigsTableName, Item }));
}

async function growth(
  bundle: Bundle,
  environment: Environment,
  rounds: number,
  sizes: readonly number[],
  afterEach?: (clientId: string) => Promise<void>,
): Promise<readonly GrowthStep[]> {
  const warm = await startWarmFunction([bundle], environment, READ_ONCE);
  try {
    const samples: { size: number; cpu: number; p50: number; responseBytes: number }[] = [];
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      for (const size of inTurn(sizes, round)) {
        const clientId = clientIdOf(size);
        const load = { count: CALLS_PER_ROUND, clientId };
        const times = await measureCalls(warm, bundle, environment, load);
        if (round >= 0) samples.push({ size, ...times });
        await afterEach?.(clientId);
      }
    }
    return sizes.map((size) => {
      const ofSize = samples.filter((sample) => sample.size === size);
      return {
        size,
        cpu: ofSize.map(({ cpu }) => cpu),
        p50: ofSize.map(({ p50 }) => p50),
        responseBytes: ofSize[0]?.responseBytes ?? Number.NaN,
      };
    });
  } finally {
    warm.stop();
  }
}
