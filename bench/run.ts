import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import {
  type Bundle,
  bundled,
  type Contestant,
  FLOOR,
  FLOOR_DEFAULT_FIELDS,
  FLOOR_EXTERNAL_SDK,
  MIDDY,
  OPERATIONS,
  type Operation,
  OURS,
  PEERS,
  RUNTIME,
} from './candidates.ts';
import { coldStarts } from './cold.ts';
import { costs } from './cost.ts';
import type { Call, Cold, Figures } from './figures.ts';
import { growthOfEvents, growthOfFields } from './growth.ts';
import { soak } from './soak.ts';
import { present } from './statistics.ts';
import { type Subject, warmCalls } from './warm.ts';
import { EACH_TIME, NEVER_AGAIN, startWorld, type World } from './world.ts';

/** Of ours beside the floor, whose ratios are near their limits, and of ours beside the peers. */
const COLD_ROUNDS = 45;
const COLD_ROUNDS_OF_PEERS = 9;
/** A neighbour on the machine makes one round in thirty take half as long again; of five rounds it may hit three. */
const WARM_ROUNDS = 15;
const GROWTH_ROUNDS = 5;
/** Below the project: bundles that leave the SDK out find it in its `node_modules`. */
const FOLDER = fileURLToPath(new URL('.build', import.meta.url));

/**
 * Measures everything, one after the other on this machine.
 *
 * @param progress is told what is under way.
 */
export async function run(progress: (text: string) => void): Promise<Figures> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const excluded: Record<string, readonly string[]> = {};
  for (const peer of [...PEERS, MIDDY]) {
    progress(`Checking that ${peer.name} answers as it has to`);
    const failed = await failedChecks(peer.name);
    if (failed.length > 0) excluded[peer.name] = failed;
  }
  const peers = [...PEERS, MIDDY].filter(({ name }) => !excluded[name]);

  const world = await startWorld(FOLDER);
  try {
    const bundles = new Map<Contestant, Record<Operation, Bundle>>();
    for (const contestant of [
      ...[RUNTIME, OURS, FLOOR, FLOOR_DEFAULT_FIELDS, FLOOR_EXTERNAL_SDK],
      ...peers,
    ]) {
      bundles.set(contestant, {
        'get-config': await bundled(contestant, 'get-config', FOLDER),
        'apply-promo-code': await bundled(contestant, 'apply-promo-code', FOLDER),
      });
    }
    const bundleOf = (contestant: Contestant, operation: Operation) => {
      const bundle = bundles.get(contestant)?.[operation];
      if (!bundle) throw new Error(`${contestant.name} is not bundled.`);
      return bundle;
    };

    progress('Starting each function in new processes');
    const inTurns = (contestants: readonly Contestant[], rounds: number) =>
      coldStartsInTurns(contestants, bundleOf, world, rounds);
    const floors = [RUNTIME, FLOOR, OURS, FLOOR_DEFAULT_FIELDS, FLOOR_EXTERNAL_SDK];
    const cold = [
      ...(await inTurns(floors, COLD_ROUNDS)),
      ...(await inTurns([OURS, ...peers], COLD_ROUNDS_OF_PEERS)).filter(
        ({ contestant }) => contestant !== OURS.name,
      ),
    ];

    progress(`Calling functions that are warm, in ${WARM_ROUNDS} rounds`);
    const subjects = subjectsOf([OURS, FLOOR, ...peers], bundleOf);
    const measuredWarm = await warmCalls([...subjects.keys()], world, WARM_ROUNDS);
    const warm = [...measuredWarm].map(([subject, measured]) => ({
      contestant: subject.bundle.contestant,
      call: present(subjects.get(subject)),
      measured,
    }));

    progress('Calling with more and more fields, and with more and more promo events');
    const fields = await growthOfFields(bundleOf(OURS, 'get-config'), world, GROWTH_ROUNDS);
    const events = await growthOfEvents(bundleOf(OURS, 'apply-promo-code'), world, GROWTH_ROUNDS);

    progress('Calling 1,000,000 times, and looking at the memory');
    const memory = await soak(
      OPERATIONS.map((operation) => bundleOf(OURS, operation)),
      world,
    );

    const drain = { ...OURS, name: 'ours, drain', source: () => fileURLToPath(DRAIN) };
    return {
      machine: {
        date: new Date().toISOString().slice(0, 10),
        node: process.version,
        cpu: `${cpus().length} × ${cpus()[0]?.model}`,
      },
      excluded,
      peers: peers.filter((peer) => peer !== MIDDY).map(({ name }) => name),
      functions: {
        'get-config': bundleOf(OURS, 'get-config').bytes,
        'apply-promo-code': bundleOf(OURS, 'apply-promo-code').bytes,
        'store-queued-promo-events': (await bundled(drain, 'apply-promo-code', FOLDER)).bytes,
      },
      cold,
      warm,
      fields,
      events,
      memory,
      costs: await costs(cold, warm, world),
    };
  } finally {
    world.stop();
  }
}

async function failedChecks(peer: string): Promise<readonly string[]> {
  const child = fork(FAIR, [peer], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(() => [['The checks have ended in the middle.']]);
  const [failed] = await Promise.race([once(child, 'message'), ended]);
  return failed;
}

const FAIR = fileURLToPath(new URL('fair.ts', import.meta.url));
const DRAIN = new URL('../functions/store-queued-promo-events/handler.ts', import.meta.url);

async function coldStartsInTurns(
  contestants: readonly Contestant[],
  bundleOf: (contestant: Contestant, operation: Operation) => Bundle,
  world: World,
  rounds: number,
): Promise<Cold[]> {
  const bundles = OPERATIONS.flatMap((operation) =>
    contestants.map((contestant) => bundleOf(contestant, operation)),
  );
  const starts = await coldStarts(bundles, world, rounds);
  return bundles.map((bundle) => {
    const { contestant, operation, bytes } = bundle;
    const ours = starts.get(bundleOf(OURS, operation));
    const measured = starts.get(bundle);
    if (!ours || !measured) throw new Error(`${contestant} was not started.`);
    return { contestant, operation, bytes, measured, ours: ours.total };
  });
}

function subjectsOf(
  contestants: readonly Contestant[],
  bundleOf: (contestant: Contestant, operation: Operation) => Bundle,
): ReadonlyMap<Subject, Call> {
  const subjects = new Map<Subject, Call>();
  for (const contestant of contestants) {
    const getConfig = bundleOf(contestant, 'get-config');
    const apply = bundleOf(contestant, 'apply-promo-code');
    // The floor has no cache.
    if (contestant !== FLOOR) {
      const cached = { bundle: getConfig, variables: NEVER_AGAIN, isCached: true };
      subjects.set(cached, 'getConfig, cached');
    }
    const read = { bundle: getConfig, variables: EACH_TIME, isCached: false };
    subjects.set(read, 'getConfig, read');
    subjects.set({ bundle: apply, variables: NEVER_AGAIN, isCached: false }, 'promoCode/apply');
    if (contestant !== FLOOR) {
      const reading = { bundle: apply, variables: EACH_TIME, isCached: false };
      subjects.set(reading, 'promoCode/apply, read');
    }
  }
  return subjects;
}
