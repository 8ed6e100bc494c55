import { mkdir, rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { bundleCandidate, bundleOperation, type Candidate } from './candidates/candidate.ts';
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
import type { Figures } from './figures.ts';
import { calledFunctions } from './measurements/calls.ts';
import { capacityUnits } from './measurements/capacity-units.ts';
import { coldStarts } from './measurements/cold.ts';
import { growthWithFields, growthWithPromoEvents } from './measurements/growth.ts';
import { soak } from './measurements/soak.ts';
import { warmCalls } from './measurements/warm.ts';

/**
 * How often each measurement is repeated. On a shared machine, about one round in thirty takes half as long again, which must not move
 * a median. With the SDK's clients, cold starts of ours are close to their limits, next to the floor and next to the peers.
 */
const ROUNDS = { coldFloors: 45, coldPeers: 25, warm: 15, growth: 5 } as const;

/** Below the project, so that a bundle without the SDK finds it in the project's `node_modules`. */
const FOLDER = fileURLToPath(new URL('.build', import.meta.url));

/** Called with the name of each measurement when it starts. */
type Progress = (text: string) => void;

/** Measures everything on this machine, one thing after the other. */
export async function measure(progress: Progress): Promise<Figures> {
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
      ...(await measureCandidates(peers, environment, progress)),
      capacityUnits: await capacityUnits(environment),
    };
  } finally {
    environment.stop();
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
  progress: Progress,
) {
  const bundle = (candidate: Candidate) => bundleCandidate(candidate, FOLDER);
  const bundleAll = (candidates: readonly Candidate[]) => Promise.all(candidates.map(bundle));
  const ours = await bundle(OURS);
  const floor = await bundle(FLOOR);
  const otherFloors = await bundleAll([RUNTIME, FLOOR_DEFAULT_FIELDS, FLOOR_EXTERNAL_SDK]);
  const peers = await bundleAll(peerCandidates);
  const queue = await bundleOperation(OURS_QUEUE, 'apply-promo-code', FOLDER);

  progress('Measuring cold starts');
  const floors = [floor, ...otherFloors];
  const coldFloors = await coldStarts(ours, floors, environment, ROUNDS.coldFloors);
  const coldPeers = await coldStarts(ours, peers, environment, ROUNDS.coldPeers);

  progress(`Measuring warm calls, in ${ROUNDS.warm} rounds`);
  const called = [ours, floor, ...peers].flatMap(calledFunctions);
  const warm = await warmCalls(called, environment, ROUNDS.warm);

  progress('Measuring growth, with more and more fields and promo events');
  const { growth } = ROUNDS;
  const fields = await growthWithFields(ours['get-config'], environment, growth);
  const events = await growthWithPromoEvents(ours['apply-promo-code'], environment, growth);

  progress('Measuring memory, with 1,000,000 calls');
  const memory = await soak(ours, environment);

  return {
    functions: {
      'get-config': ours['get-config'].bytes,
      'apply-promo-code': ours['apply-promo-code'].bytes,
      'store-queued-promo-events': queue.bytes,
    },
    // Of ours, the rounds next to the floor are kept: there are more of them.
    cold: [...coldFloors, ...coldPeers.filter(({ candidate }) => candidate !== OURS.name)],
    warm,
    fields,
    events,
    memory,
  };
}
