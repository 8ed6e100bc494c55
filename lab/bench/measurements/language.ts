import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Bundle } from '../candidates/candidate.ts';
import { clientRecord } from '../environment/client-record.ts';
import { type Environment, READ_ONCE } from '../environment/environment.ts';
import { type Samples, samplesInTurn } from './rounds.ts';
import { measureCalls, startWarmFunction } from './warm-function.ts';

const VARIANTS = ['with', 'without'] as const;
const CALLS_PER_ROUND = 200;
/** The rounds after which V8 has optimized what the calls of both clients run. */
const WARM_UP_ROUNDS = 15;

/** CPU time of a cached getConfig call for a client that is translated, and for one that is not. */
export type LanguageFigures = Readonly<Record<(typeof VARIANTS)[number], Samples>>;

/** Measures calls that ask for a language. */
export async function callsInALanguage(
  bundle: Bundle,
  environment: Environment,
  rounds: number,
): Promise<LanguageFigures> {
  const { documentClient, outputs } = environment;
  const languageOf = (variant: string) => (variant === 'with' ? 'de' : undefined);
  for (const variant of VARIANTS) {
    const Item = clientRecord(variant, languageOf(variant));
    await documentClient.send(new PutCommand({ TableName: outputs.ConfigsTableName, Item }));
  }
  const warm = await startWarmFunction([bundle], environment, READ_ONCE);
  try {
    const samplesOf = await samplesInTurn(VARIANTS, WARM_UP_ROUNDS + rounds, (variant) =>
      measureCalls(warm, bundle, environment, CALLS_PER_ROUND, variant, languageOf(variant)),
    );
    const kept = (variant: (typeof VARIANTS)[number]) => samplesOf(variant).slice(WARM_UP_ROUNDS);
    return { with: kept('with'), without: kept('without') };
  } finally {
    await warm.stop();
  }
}
