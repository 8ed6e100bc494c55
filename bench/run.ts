import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type ColdStarts, coldStarts } from './cold.ts';
import {
  type Bundle,
  bundled,
  type Contestant,
  FLOOR,
  FLOOR_DEFAULT_FIELDS,
  FLOOR_EXTERNAL_SDK,
  OPERATIONS,
  type Operation,
  OURS,
  PEERS,
  RUNTIME,
} from './contestants.ts';
import { CALLS_PER_READ, type Cost, costOf } from './cost.ts';
import { growthOfEvents, growthOfFields, promoEvent, type Step } from './growth.ts';
import { type Memory, soak } from './soak.ts';
import { median, type Samples } from './statistics.ts';
import { type Subject, type WarmCalls, warmCalls } from './warm.ts';
import { CLIENT, startWorld, type World } from './world.ts';

/** Of ours beside the floor, whose ratios are near their limits, and of ours beside the peers. */
const COLD_ROUNDS = 45;
const COLD_ROUNDS_OF_PEERS = 9;
const WARM_ROUNDS = 5;
const GROWTH_ROUNDS = 5;
/** Longer than a run. */
const NEVER_AGAIN = { CONFIG_CACHE_SECONDS: '3600' };
const EACH_TIME = { CONFIG_CACHE_SECONDS: '0' };
/** Below the project: bundles that leave the SDK out find it in its `node_modules`. */
const FOLDER = fileURLToPath(new URL('.build', import.meta.url));

/** What is called: promo codes with the client's item in the cache. */
export const CALLS = ['getConfig, cached', 'getConfig, read', 'promoCode/apply'] as const;
export type Call = (typeof CALLS)[number];

/** A contestant's operation, and what was measured of it. */
interface Of<TMeasured> {
  readonly contestant: string;
  readonly measured: TMeasured;
}
export type Cold = Of<ColdStarts> & {
  readonly operation: Operation;
  readonly bytes: number;
  /** How long ours took in the same rounds. */
  readonly ours: Samples;
};
export type Warm = Of<WarmCalls> & { readonly call: Call };
export type Costs = Of<Cost> & { readonly operation: Operation };

/** All that a run has measured. */
export interface Figures {
  readonly machine: { readonly date: string; readonly node: string; readonly cpu: string };
  /** Peers that do not count, with the checks that do not hold. */
  readonly excluded: Readonly<Record<string, readonly string[]>>;
  readonly peers: readonly string[];
  /** Bytes of each of our functions. */
  readonly functions: Readonly<Record<string, number>>;
  readonly cold: readonly Cold[];
  readonly warm: readonly Warm[];
  readonly fields: readonly Step[];
  readonly events: readonly Step[];
  readonly memory: readonly Memory[];
  readonly costs: readonly Costs[];
}

/**
 * Measures everything, one after the other on this machine.
 *
 * @param progress is told what is under way.
 */
export async function run(progress: (text: string) => void): Promise<Figures> {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const excluded: Record<string, readonly string[]> = {};
  for (const peer of PEERS) {
    progress(`Checking that ${peer.name} answers as it has to`);
    const failed = await failedChecks(peer.name);
    if (failed.length > 0) excluded[peer.name] = failed;
  }
  const peers = PEERS.filter(({ name }) => !excluded[name]);

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
      call: subjects.get(subject) ?? 'promoCode/apply',
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
      peers: peers.map(({ name }) => name),
      functions: {
        'get-config': bundleOf(OURS, 'get-config').bytes,
        'apply-promo-code': bundleOf(OURS, 'apply-promo-code').bytes,
        'drain-promo-events': (await bundled(drain, 'apply-promo-code', FOLDER)).bytes,
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
const DRAIN = new URL('../functions/drain-promo-events/handler.ts', import.meta.url);

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
  }
  return subjects;
}

/** From what was measured, and from the units that DynamoDB counts for the two items. */
async function costs(
  cold: readonly Cold[],
  warm: readonly Warm[],
  { dynamodb, outputs }: World,
): Promise<Costs[]> {
  const { ConsumedCapacity: read } = await dynamodb.send(
    new GetCommand({
      TableName: outputs.ConfigsTableName,
      Key: { clientId: CLIENT.clientId },
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  const { ConsumedCapacity: written } = await dynamodb.send(
    new PutCommand({
      TableName: outputs.PromoEventsTableName,
      Item: promoEvent(CLIENT.clientId, 0),
      ReturnConsumedCapacity: 'TOTAL',
    }),
  );
  const readUnits = read?.CapacityUnits ?? Number.NaN;
  const writeUnits = written?.CapacityUnits ?? Number.NaN;

  const timesOf = (contestant: string, call: Call) => {
    const found = warm.find((one) => one.contestant === contestant && one.call === call);
    if (!found) return undefined;
    const { p50, cpu } = found.measured;
    return { wall: median(p50) / 1000, cpu: median(cpu) / 1000 };
  };
  return cold.flatMap(({ contestant, operation, measured }) => {
    const hasCache = timesOf(contestant, 'getConfig, cached') !== undefined;
    const isGetConfig = operation === 'get-config';
    const reads = isGetConfig && !hasCache ? 1 : hasCache ? 1 / CALLS_PER_READ : 0;
    const cached = timesOf(contestant, isGetConfig ? 'getConfig, cached' : 'promoCode/apply');
    const uncached = timesOf(contestant, isGetConfig ? 'getConfig, read' : 'promoCode/apply');
    if (!uncached) return [];
    const mixed = (part: 'wall' | 'cpu') =>
      reads * uncached[part] + (1 - reads) * (cached ?? uncached)[part];
    const cost = costOf({
      operation,
      warm: { wall: mixed('wall'), cpu: mixed('cpu') },
      cold: median(measured.total),
      reads,
      readUnits,
      writeUnits,
      answerBytes: median(measured.answerBytes),
    });
    return { contestant, operation, measured: cost };
  });
}
