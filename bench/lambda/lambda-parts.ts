import type { Bundles } from '../candidates/candidate.ts';
import type { Environment } from '../environment/environment.ts';
import type { Part, PartFigures } from '../figures.ts';
import { inTurn } from '../measurements/rounds.ts';
import { CpuGroups } from './cpu-groups.ts';
import { addedUp, type LoadFigures, underLoad } from './load.ts';
import { JUDGED_MEGABYTES, SMALL_MEGABYTES } from './memory.ts';
import { memorySizes } from './memory-sizes.ts';
import { fastestStart, type LambdaStartFigures, lambdaStarts, withMoreRounds } from './starts.ts';
import { startTlsEnvironment } from './tls-environment.ts';

/**
 * How often each measurement is repeated. The ratios to the floor are the nearest to their limits,
 * so they have the most rounds.
 */
const ROUNDS = { lambda: 15, moreOfFloor: 30, sizes: 5, load: 6, bestPeer: 3 } as const;

/** What the parts that imitate Lambda compare. */
export interface LambdaCandidates {
  readonly ours: Bundles;
  readonly floor: Bundles;
  /** Those that ours is judged against. */
  readonly peers: readonly Bundles[];
  /** Measured besides. */
  readonly others: readonly Bundles[];
}

/**
 * Measures the selected parts that need Lambda's share of a CPU.
 *
 * @param folder for a certificate.
 * @throws NoCpuGroupsError or NoCertificateError if this machine cannot do that.
 */
export async function measureLambdaParts(
  { ours, floor, peers, others }: LambdaCandidates,
  plain: Environment,
  folder: string,
  isSelected: (part: Part) => boolean,
  progress: (text: string) => void,
): Promise<Partial<Pick<PartFigures, 'lambda' | 'sizes' | 'load'>>> {
  const groups = await CpuGroups.open();
  const environment = await startTlsEnvironment(plain, folder);
  const starts = (
    candidates: readonly Bundles[],
    rounds: number,
    megabytes: number = JUDGED_MEGABYTES,
  ) => lambdaStarts(candidates, environment, groups, { megabytes, rounds });
  try {
    let lambda: readonly LambdaStartFigures[] | undefined;
    if (isSelected('lambda')) {
      progress(`Measuring starts as in Lambda, in ${ROUNDS.lambda} rounds`);
      const judged = withMoreRounds(
        await starts([ours, floor, ...peers, ...others], ROUNDS.lambda),
        await starts([ours, floor], ROUNDS.moreOfFloor),
      );
      lambda = [...judged, ...(await starts([ours, floor], ROUNDS.lambda, SMALL_MEGABYTES))];
    }
    let sizes: PartFigures['sizes'] | undefined;
    if (isSelected('sizes')) {
      progress(`Measuring sizes of memory, in ${ROUNDS.sizes} rounds`);
      sizes = await memorySizes(ours, environment, groups, ROUNDS.sizes);
    }
    let load: LoadFigures[] | undefined;
    if (isSelected('load')) {
      progress(`Measuring a campaign, in ${ROUNDS.load} rounds`);
      const best = fastestStart(peers, lambda ?? (await starts(peers, ROUNDS.bestPeer)));
      load = [];
      for (let round = 0; round < ROUNDS.load; round++) {
        for (const bundles of inTurn(best ? [ours, best] : [ours], round)) {
          load.push(await underLoad(bundles, environment, groups));
        }
      }
    }
    return {
      ...(lambda && { lambda }),
      ...(sizes && { sizes }),
      ...(load && { load: addedUp(load) }),
    };
  } finally {
    environment.stop();
    await groups.removeAll();
  }
}
