import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Bundle } from '../candidates/candidate.ts';
import { clientRecord } from '../environment/client-record.ts';
import { type Environment, READ_ONCE } from '../environment/environment.ts';
import { byPart, type Samples, samplesInTurn } from './rounds.ts';
import { measureCalls, startWarmFunction } from './warm-function.ts';

/** Clients to call: with more and more fields, with another language, and with a rollout. */
const STEPS: readonly Client[] = [
  { fields: 1 },
  { fields: 10 },
  { fields: 100 },
  { fields: 1000 },
  { fields: 10, language: 'de' },
  { fields: 10, rollout: 'candidate' },
];
const CALLS_PER_ROUND = 200;
/** After these, V8 has optimized what the calls of each client run. */
const WARM_UP_ROUNDS = 15;
const PARTS = ['cpu', 'p50', 'responseBytes'] as const;

interface Client {
  readonly fields: number;
  /** The language that the calls ask for. */
  readonly language?: string;
  /** The configuration that the calls get. */
  readonly rollout?: 'candidate';
}

/** The calls for one number of fields. */
export interface GrowthStep extends Client {
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
  for (const step of STEPS) {
    const Item = clientRecord(clientIdOf(step), step.fields, step);
    await documentClient.send(new PutCommand({ TableName: outputs.ConfigsTableName, Item }));
  }
  const warm = await startWarmFunction([bundle], environment, READ_ONCE);
  try {
    const samplesOf = await samplesInTurn(STEPS, WARM_UP_ROUNDS + rounds, (step) =>
      measureCalls(warm, bundle, environment, {
        count: CALLS_PER_ROUND,
        clientId: clientIdOf(step),
        language: step.language,
      }),
    );
    return STEPS.map((step) => ({
      ...step,
      measured: byPart(PARTS, samplesOf(step).slice(WARM_UP_ROUNDS)),
    }));
  } finally {
    await warm.stop();
  }
}

function clientIdOf({ fields, language, rollout }: Client): string {
  return ['with', fields, language ?? rollout].filter(Boolean).join('-');
}
