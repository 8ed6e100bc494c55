import { mkdir, rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { UserError } from '../core/user-error.ts';
import {
  type Bundles,
  bundleCandidate,
  bundleOperation,
  type Candidate,
} from './candidates/candidate.ts';
import {
  FLOOR,
  FLOOR_DEFAULT_FIELDS,
  FLOOR_EXTERNAL_SDK,
  MIDDY,
  OURS,
  OURS_QUEUE,
  PEERS,
  RUNTIME,
} from './candidates/candidates.ts';
import { failedChecks } from './candidates/peer-checks.ts';
import { type Environment, startEnvironment } from './environment/environment.ts';
import { type Figures, LAMBDA_PARTS, type Part, type PartFigures } from './figures.ts';
import { CpuGroups, NoCpuGroupsError } from './lambda/cpu-groups.ts';
import { measureLambdaParts } from './lambda/lambda-parts.ts';
import { NoCertificateError } from './lambda/tls-environment.ts';
import { calledFunctions } from './measurements/calls.ts';
import { capacityUnits } from './measurements/capacity-units.ts';
import { coldStarts } from './measurements/cold.ts';
import { commandTimes } from './measurements/commands.ts';
import { growthWithFields, growthWithPromoEvents } from './measurements/growth.ts';
import { soak } from './measurements/soak.ts';
import { warmCalls } from './measurements/warm.ts';

/**
 * How often each measurement is repeated. On a shared machine, about one round in thirty takes half
 * as long again, which must not move a median. With the SDK's clients, cold starts of ours are
 * close to their limits, next to the floor and next to the peers.
 */
const ROUNDS = { coldFloors: 45, coldPeers: 25, warm: 60, growth: 5, commands: 15 } as const;

/** Below the project, so that a bundle without the SDK finds it in the project's `node_modules`. */
const FOLDER = fileURLToPath(new URL('.build', import.meta.url));

/** Called with the name of each measurement when it starts. */
type Progress = (text: string) => void;

/** What a run measures. */
export interface Selection {
  readonly parts: readonly Part[];
  /** Whether it is an error if this machine cannot imitate Lambda. */
  readonly requireLambda: boolean;
}

/**
 * Measures the selected parts on this machine, one after the other.
 *
 * @throws UserError if Lambda is required and this machine cannot imitate it.
 */
export async function measure(selection: Selection, progress: Progress): Promise<Figures> {
  await using _ = await precedence(progress);
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const excluded = await excludedPeers(progress);
  const peers = [...PEERS, MIDDY].filter(({ name }) => !excluded[name]);
  const environment = await startEnvironment(FOLDER);
  try {
    return {
      machine: {
        date: new Date().toISOString().slice(0, 10),
        node: process.version,
        cpu: `${cpus().length} × ${cpus()[0]?.model}`,
      },
      excluded,
      peers: peers.filter((peer) => peer !== MIDDY).map(({ name }) => name),
      ...(await measureCandidates(peers, environment, selection, progress)),
      capacityUnits: await capacityUnits(environment),
    };
  } finally {
    environment.stop();
  }
}

/** Lets other processes of this machine take little CPU time from what is measured. */
async function precedence(progress: Progress): Promise<AsyncDisposable | undefined> {
  try {
    const preferred = await (await CpuGroups.open()).preferThisProcess();
    return {
      [Symbol.asyncDispose]: async () => {
        try {
          await preferred[Symbol.asyncDispose]();
        } catch (error) {
          // The figures are complete, and must not be lost.
          progress(`The cgroup of this run could not be removed: ${String(error)}`);
        }
      },
    };
  } catch (error) {
    if (!(error instanceof NoCpuGroupsError)) throw error;
    progress(`Other processes may disturb the measurements: ${error.message}`);
    return undefined;
  }
}

/** A peer that fails the smoke checks does less work than ours and must not be compared. */
async function excludedPeers(progress: Progress): Promise<Record<string, readonly string[]>> {
  const excluded: Record<string, readonly string[]> = {};
  for (const { name } of [...PEERS, MIDDY]) {
    progress(`Running the smoke checks on ${name}`);
    const failed = await failedChecks(name);
    if (failed.length > 0) excluded[name] = failed;
  }
  return excluded;
}

async function measureCandidates(
  peerCandidates: readonly Candidate[],
  environment: Environment,
  { parts, requireLambda }: Selection,
  progress: Progress,
) {
  const isSelected = (part: Part) => parts.includes(part);
  const bundle = (candidate: Candidate) => bundleCandidate(candidate, FOLDER);
  const bundleAll = (candidates: readonly Candidate[]) => Promise.all(candidates.map(bundle));
  const ours = await bundle(OURS);
  const floor = await bundle(FLOOR);
  const otherFloors = await bundleAll([RUNTIME, FLOOR_DEFAULT_FIELDS, FLOOR_EXTERNAL_SDK]);
  const peers = await bundleAll(peerCandidates);
  const queue = await bundleOperation(OURS_QUEUE, 'apply-promo-code', FOLDER);
  const measured: { -readonly [Part in keyof PartFigures]?: PartFigures[Part] } = {};
  let withoutLambda: string | undefined;

  if (LAMBDA_PARTS.some(isSelected)) {
    const isJudged = (one: Bundles) => one['get-config'].candidate !== MIDDY.name;
    const candidates = {
      ...{ ours, floor },
      peers: peers.filter(isJudged),
      others: peers.filter((one) => !isJudged(one)),
    };
    try {
      Object.assign(
        measured,
        await measureLambdaParts(candidates, environment, FOLDER, isSelected, progress),
      );
    } catch (error) {
      if (!(error instanceof NoCpuGroupsError || error instanceof NoCertificateError)) throw error;
      if (requireLambda) throw new UserError(error.message);
      withoutLambda = error.message;
      progress(`Leaving out the parts ${LAMBDA_PARTS.join(', ')}: ${error.message}`);
    }
  }

  if (isSelected('cold')) {
    progress('Measuring cold starts');
    const floors = [floor, ...otherFloors];
    const coldFloors = await coldStarts(ours, floors, environment, ROUNDS.coldFloors);
    const coldPeers = await coldStarts(ours, peers, environment, ROUNDS.coldPeers);
    // Of ours, the rounds next to the floor are kept: there are more of them.
    const others = coldPeers.filter(({ candidate }) => candidate !== OURS.name);
    measured.cold = [...coldFloors, ...others];
  }

  if (isSelected('warm')) {
    progress(`Measuring warm calls, in ${ROUNDS.warm} rounds`);
    const called = [ours, floor, ...peers].flatMap(calledFunctions);
    measured.warm = await warmCalls(called, environment, ROUNDS.warm);
  }

  if (isSelected('growth')) {
    progress('Measuring growth, with more and more fields and promo events');
    const { growth } = ROUNDS;
    measured.fields = await growthWithFields(ours['get-config'], environment, growth);
    measured.events = await growthWithPromoEvents(ours['apply-promo-code'], environment, growth);
  }

  if (isSelected('memory')) {
    progress('Measuring memory, with 1,000,000 calls');
    measured.memory = await soak(ours, environment);
  }

  if (isSelected('commands')) {
    progress("Measuring operators' commands");
    measured.commands = await commandTimes(ROUNDS.commands);
  }

  return {
    functions: {
      'get-config': ours['get-config'].bytes,
      'apply-promo-code': ours['apply-promo-code'].bytes,
      'store-queued-promo-events': queue.bytes,
    },
    ...measured,
    ...(withoutLambda && { withoutLambda }),
  };
}
