import { mkdir, rm } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stop } from 'esbuild';
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
import type { Figures, Part, PartFigures } from './figures.ts';
import { CpuGroups, NoLambdaError } from './lambda/cpu-groups.ts';
import { CPU_MEGABYTES, JUDGED_MEGABYTES } from './lambda/memory.ts';
import { starts } from './lambda/starts.ts';
import { startTlsEnvironment } from './lambda/tls-environment.ts';
import { callsInALanguage } from './measurements/language.ts';
import { soak } from './measurements/soak.ts';
import { warmCalls } from './measurements/warm.ts';

/**
 * The rounds of each measurement. On a shared machine, about one round in thirty takes half as long
 * again, which must not move a median.
 */
const ROUNDS = { lambda: 30, cold: 30, warm: 60, language: 30 };
const ONE_ROUND: typeof ROUNDS = { lambda: 1, cold: 1, warm: 1, language: 1 };

/** The bundles and the stack. */
const FOLDER = fileURLToPath(new URL('.build', import.meta.url));

/** Called with the name of each measurement when it starts. */
type Progress = (text: string) => void;

/** The measurements of a run. */
export interface Selection {
  readonly parts: readonly Part[];
  /** True if each measurement has one round. */
  readonly once: boolean;
}

/**
 * Measures the selected parts on this machine, one after the other.
 *
 * @throws NoLambdaError if a part has to imitate Lambda and this machine cannot.
 */
export async function measure({ parts, once }: Selection, progress: Progress): Promise<Figures> {
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

  await part('lambda', `starts as in Lambda, in ${rounds.lambda} rounds`, async () => {
    if (groups instanceof NoLambdaError) throw groups;
    const tls = await startTlsEnvironment(environment, FOLDER);
    cleanup.defer(tls.stop);
    return starts({
      environment: tls,
      groups,
      megabytes: JUDGED_MEGABYTES,
      candidates: [ours, floor, ...peers],
      rounds: rounds.lambda,
    });
  });
  await part('cold', 'cold starts', () =>
    starts({
      environment,
      megabytes: CPU_MEGABYTES,
      candidates: [ours, floor],
      rounds: rounds.cold,
    }),
  );
  await part('warm', `warm calls, in ${rounds.warm} rounds`, () =>
    warmCalls([ours, floor, ...peers], environment, rounds.warm),
  );
  await part('language', 'calls in a language', () =>
    callsInALanguage(ours['get-config'], environment, rounds.language),
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
