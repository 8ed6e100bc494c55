import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Bundle } from '../candidates/candidate.ts';
import { clientRecord } from '../environment/client-record.ts';
import { type Environment, READ_ONCE } from '../environment/environment.ts';
import { byPart, type Samples, samplesInTurn } from './rounds.ts';
import { measureCalls, startWarmFunction } from './warm-function.ts';

const FIELDS = [1, 10, 100, 1000] as const;
const CALLS_PER_ROUND = 200;
const WARM_UP_ROUNDS = 2;
const PARTS = ['cpu', 'p50', 'responseBytes'] as const;

/** The calls for one number of fields. */
export interface GrowthStep {
  readonly fields: number;
  /** CPU time and median wall time of a call, in microseconds, and the size of a response. */
  readonly measured: Readonly<Record<(typeof PARTS)[number], Samples>>;
}

/** Measures cached getConfig calls for clients with more and more fields. */
export async function growth(
  bundle: Bundle,
  environment: Environment,
  rounds: number,
): Promise<readonly GrowthStep[]> {
  const { documentClient, outputs } = environment;
  for (const fields of FIELDS) {
    const Item = clientRecord(clientIdOf(fields), fields);
    await documentClient.send(new PutCommand({ TableName: outputs.ConfigsTableName, Item }));
  }
  const warm = await startWarmFunction([bundle], environment, READ_ONCE);
  try {
    const samplesOf = await samplesInTurn(FIELDS, WARM_UP_ROUNDS + rounds, (fields) =>
      measureCalls(warm, bundle, environment, {
        count: CALLS_PER_ROUND,
        clientId: clientIdOf(fields),
      }),
    );
    return FIELDS.map((fields) => ({
      fields,
      measured: byPart(PARTS, samplesOf(fields).slice(WARM_UP_ROUNDS)),
    }));
  } finally {
    await warm.stop();
  }
}

function clientIdOf(fields: number): string {
  return `with-${fields}`;
}
