import { mkdir, rm } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stop } from 'esbuild';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { synthesize } from '../../packages/local/synthesize.ts';
import {
  type Bundles,
  bundleCandidate,
  bundleOperation,
  OPERATIONS,
} from './candidates/candidate.ts';
import { FLOOR, OURS, OURS_QUEUE, PEERS } from './candidates/candidates.ts';
import { startChild } from './child.ts';
import { startEnvironment } from './environment/environment.ts';
import { type Figures, LAMBDA_PARTS, type Part, type PartFigures } from './figures.ts';
import { CpuGroups, NoLambdaError } from './lambda/cpu-groups.ts';
import { CPU_MEGABYTES, JUDGED_MEGABYTES } from './lambda/memory.ts';
import { memorySizes } from './lambda/memory-sizes.ts';
import { starts } from './lambda/starts.ts';
import { startTlsEnvironment } from './lambda/tls-environment.ts';
import { calledFunctions } from './measurements/calls.ts';
import { growth } from './measurements/growth.ts';
import { soak } from './measurements/soak.ts';
import { warmCalls } from './measurements/warm.ts';

/**
 * The repetitions of each measurement. On a shared machine, about one round in thirty takes half as
 * long again, which must not move a median. Starts of ours are close to their limits next to the
 * floor, so these have more rounds.
 */
const ROUNDS = {
  lambda: 15,
  moreOfLambda: 30,
  sizes: 5,
  cold: 25,
  moreOfCold: 20,
  warm: 60,
  growth: 30,
};
const ONE_ROUND: typeof ROUNDS = {
  lambda: 1,
  moreOfLambda: 0,
  sizes: 1,
  cold: 1,
  moreOfCold: 0,
  warm: 1,
  growth: 1,
};

/** The bundles and the stack. */
const FOLDER = fileURLToPath(new URL('.build', import.meta.url));

/** Called with the name of each measurement when it starts. */
type Progress = (text: string) => void;

/** The measurements of a run. */
export interface Selection {
  readonly parts: readonly Part[];
  /** True if it is an error if this machine cannot imitate Lambda. */
  readonly requireLambda: boolean;
  /** True if each measurement has one round. */
  readonly once: boolean;
}

/**
 * Measures the selected parts on this machine, one after the other.
 *
 * @throws UserError if Lambda is required and this machine cannot imitate it.
 */
export async function measure(
  { parts, requireLambda, once }: Selection,
  progress: Progress,
): Promise<Figures> {
  const rounds = once ? ONE_ROUND : ROUNDS;
  const load = loadavg()[0]?.toFixed(1) ?? '';
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await using cleanup = new AsyncDisposableStack();
  const groups = await CpuGroups.open().catch(onlyNoLambda);
  if (groups instanceof NoLambdaError) {
    progress(`Other processes may disturb the measurements: ${groups.message}`);
  } else cleanup.defer(() => groups.close());
  // The process of esbuild would stay in the group of this run.
  cleanup.defer(stop);

  const assembly = join(FOLDER, 'cdk.out');
  const stack = await synthesize(assembly);
  const { peers, excluded } = await checkedPeers(assembly, progress);
  const ours = await bundleCandidate(OURS, FOLDER);
  const floor = await bundleCandidate(FLOOR, FOLDER);
  const queue = await bundleOperation(OURS_QUEUE, 'apply-promo-code', FOLDER);

  const environment = await startEnvironment(stack, assembly, FOLDER);
  cleanup.defer(environment.stop);
  const figures: { -readonly [P in Part]?: PartFigures[P] } = {};
  const part = async <P extends Part>(
    name: P,
    title: string,
    measured: () => Promise<PartFigures[P]>,
  ) => {
    if (!parts.includes(name)) return;
    progress(`Measuring ${title}`);
    figures[name] = await measured();
  };

  const lambdaParts = async () => {
    if (groups instanceof NoLambdaError) throw groups;
    const tls = await startTlsEnvironment(environment, FOLDER);
    cleanup.defer(tls.stop);
    await part('lambda', `starts as in Lambda, in ${rounds.lambda} rounds`, () =>
      starts({
        environment: tls,
        groups,
        megabytes: JUDGED_MEGABYTES,
        candidates: [ours, floor, ...peers],
        rounds: rounds.lambda,
        closest: [ours, floor],
        moreRounds: rounds.moreOfLambda,
      }),
    );
    await part('sizes', `sizes of memory, in ${rounds.sizes} rounds`, () =>
      memorySizes(ours, tls, groups, rounds.sizes),
    );
  };
  let withoutLambda: string | undefined;
  if (LAMBDA_PARTS.some((one) => parts.includes(one))) {
    withoutLambda = (await lambdaParts().catch(onlyNoLambda))?.message;
    if (withoutLambda && requireLambda) throw new UserError(withoutLambda);
    if (withoutLambda) progress(`Leaving out ${LAMBDA_PARTS.join(', ')}: ${withoutLambda}`);
  }
  await part('cold', 'cold starts', () =>
    starts({
      environment,
      megabytes: CPU_MEGABYTES,
      candidates: [ours, floor, ...peers],
      rounds: rounds.cold,
      closest: [ours, floor],
      moreRounds: rounds.moreOfCold,
    }),
  );
  await part('warm', `warm calls, in ${rounds.warm} rounds`, () =>
    warmCalls([ours, floor, ...peers].flatMap(calledFunctions), environment, rounds.warm),
  );
  await part('growth', 'growth, with more and more fields', () =>
    growth(ours['get-config'], environment, rounds.growth),
  );
  await part('memory', 'memory, with 1,000,000 calls', () => soak(ours, environment));

  return {
    machine: {
      date: new Date().toISOString().slice(0, 10),
      node: process.version,
      cpu: `${cpus().length} × ${cpus()[0]?.model}`,
      load,
    },
    excluded,
    peers: peers.map(nameOf),
    functions: {
      'get-config': ours['get-config'].bytes,
      'apply-promo-code': ours['apply-promo-code'].bytes,
      'store-queued-promo-events': queue.bytes,
    },
    ...figures,
    ...(withoutLambda && { withoutLambda }),
  };
}

function nameOf(bundles: Bundles): string {
  return bundles['get-config'].candidate;
}

/** Bundles the peers, and leaves out those that fail the smoke checks. */
async function checkedPeers(assembly: string, progress: Progress) {
  const peers: Bundles[] = [];
  const excluded: Record<string, readonly string[]> = {};
  for (const peer of PEERS) {
    progress(`Running the smoke checks on ${peer.name}`);
    const bundles = await bundleCandidate(peer, FOLDER);
    const failed = await failedChecks(bundles, assembly);
    if (failed.length > 0) excluded[peer.name] = failed;
    else peers.push(bundles);
  }
  return { peers, excluded };
}

/** Runs the smoke checks on a peer: one that does less work than ours must not be compared. */
async function failedChecks(peer: Bundles, assembly: string): Promise<readonly string[]> {
  const folders = OPERATIONS.map((operation) => [operation, peer[operation].folder]);
  const child = startChild(
    `The smoke checks on ${nameOf(peer)}`,
    new URL('candidates/smoke-checks.ts', import.meta.url),
    [assembly, FOLDER, JSON.stringify(Object.fromEntries(folders))],
  );
  const failed = await child.nextMessage<readonly string[]>();
  await child.stop();
  return failed;
}

/** Returns the reason why this machine cannot imitate Lambda, and rejects with any other error. */
function onlyNoLambda(error: unknown): NoLambdaError {
  if (error instanceof NoLambdaError) return error;
  throw error;
}
