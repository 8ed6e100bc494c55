import { setTimeout } from 'node:timers/promises';
import { configurationTables } from '../../packages/deployment/tables.ts';
import { userErasure } from '../../packages/on-call/promo-events/erase.ts';
import { type Call, noWrites } from '../../test/support/fault-proxy.ts';
import { pick, randomNumbers } from '../../test/support/random-numbers.ts';
import { conditionalPut, conditionalPutThenUpdate, createAdapter, getThenPut } from './adapters.ts';
import type { History, Outcome } from './history.ts';
import type { LocalService } from './local.ts';
import { Recorder } from './recorder.ts';
import type { createService } from './service.ts';

/** A run against the service on this machine, or an adapter beside it. */
export interface Run {
  readonly name: string;
  readonly record: (service: LocalService, seed: string) => Promise<History>;
  /** Outcomes that the run must have seen: otherwise it was too easy. */
  readonly sees: readonly Outcome[];
  /** True if the faults of the run did not all happen. */
  readonly isEasy?: (service: LocalService) => boolean;
  /** The answer that is expected of the judge; by default that it is linearizable. */
  readonly isViolated?: true;
  /** The meaning of the verdict. */
  readonly meaning?: string;
}

type Client = Awaited<ReturnType<typeof createService>>;

/** A fault, with the functions that begin and end it. */
interface Faulty {
  readonly begin: () => unknown;
  readonly end: () => unknown;
}

const USERS = 4;
const CODES = 40;
const WRITES_PER_KILL = 20;
/** The search is repeated after 25 s. */
const OVERLAP_MS = 700;
/** The part of a phase in which the fault is there. */
const FAULTY = { from: 0.2, to: 0.8 };
const LOST = ['connection reset, executed', 'no response, executed', 'truncated response'] as const;
const LOST_RATE = 0.3;
const LOSS_INTERVAL_MS = 300;
const POLL_MS = 200;

export const RUNS: readonly Run[] = [
  {
    name: 'no-faults',
    record: (service, seed) => twoPhases(service, seed, () => ({ begin: () => {}, end: () => {} })),
    sees: ['applied', 'repeated'],
  },
  {
    name: 'table-down',
    record: (service, seed) => twoPhases(service, seed, () => tableDown(service)),
    sees: ['applied', 'queued'],
  },
  {
    name: 'queue-down',
    // A request that both refuse takes seconds.
    record: (service, seed) => twoPhases(service, seed, () => queueDown(service), 12),
    sees: ['applied', 'retryable'],
  },
  {
    name: 'lost-responses',
    record: (service, seed) => twoPhases(service, seed, () => lostResponses(service, seed)),
    sees: ['applied', 'repeated', 'unanswered'],
  },
  {
    name: 'killed-functions',
    record: (service, seed) => twoPhases(service, seed, (history) => kills(service, history)),
    sees: ['applied', 'queued', 'retryable'],
  },
  {
    name: 'changed-setting',
    record: recordChangedSetting,
    sees: ['applied', 'repeated', 'queued'],
  },
  {
    name: 'erasures',
    record: recordErasures,
    sees: ['applied', 'queued'],
  },
  {
    name: 'bus-down',
    record: recordBusDown,
    sees: ['applied', 'repeated'],
    isEasy: (service) => !isHard(service, 0),
  },
  {
    name: 'get-then-put',
    record: (service, seed) => recordAdapter(service, seed, getThenPut, false),
    sees: ['applied'],
    isViolated: true,
    meaning: 'Several requests at the same moment find the code unused, and each applies it.',
  },
  {
    name: 'conditional-put',
    record: (service, seed) => recordAdapter(service, seed, conditionalPut, false),
    sees: ['applied', 'used'],
    meaning: 'As long as no app sends a request again.',
  },
  {
    name: 'conditional-put-with-retries',
    record: (service, seed) => recordAdapter(service, seed, conditionalPut, true),
    sees: ['applied', 'used'],
    isViolated: true,
    meaning: 'The request that won is told that the code is used when it is sent again.',
  },
  {
    name: 'conditional-put-then-update',
    record: (service, seed) => recordAdapter(service, seed, conditionalPutThenUpdate, false),
    sees: ['applied', 'used'],
    isViolated: true,
    meaning: 'The item has the date of one request, and the device of another.',
  },
];

/** Sends two phases, each with a fault in its middle, a drain and a read. */
async function twoPhases(
  service: LocalService,
  seed: string,
  faultOf: (history: History) => Faulty,
  codes = CODES,
): Promise<History> {
  const recorder = new Recorder(await service.newClient(USERS), seed);
  const fault = faultOf(recorder.history);
  for (const _ of ['new codes', 'the same codes']) {
    await recorder.send({ codes, onProgress: during(fault) });
    await recorder.readDrained();
    await recorder.readBus();
  }
  return recorder.history;
}

/** Returns the function that begins and ends a fault as a phase makes progress. */
function during({ begin, end }: Faulty): (progress: number) => void {
  let isOn = false;
  return (progress) => {
    const isFaulty = progress >= FAULTY.from && progress < FAULTY.to;
    if (isFaulty !== isOn) (isFaulty ? begin : end)();
    isOn = isFaulty;
  };
}

function tableDown({ failTable }: LocalService): Faulty {
  return { begin: () => failTable(noWrites), end: () => failTable(() => undefined) };
}

function queueDown(service: LocalService): Faulty {
  const { begin, end } = tableDown(service);
  return {
    begin: () => [begin(), service.change('queue-down')],
    end: () => [end(), service.change('none')],
  };
}

/**
 * Loses some responses of DynamoDB to the functions, and at some times those of the service to the
 * apps: most retries are answered, and so is what they repeat.
 */
function lostResponses({ failTable, change }: LocalService, seed: string): Faulty {
  const next = randomNumbers(`${seed} lost`);
  const faultOf = () => (next() < LOST_RATE ? pick(LOST, next()) : undefined);
  let [timer, changed]: [NodeJS.Timeout | undefined, Promise<void>] = [
    undefined,
    Promise.resolve(),
  ];
  const changeTo = (fault: 'lost-response' | 'none') => {
    // One after the other: the last one remains.
    changed = changed.then(() => change(fault));
  };
  return {
    begin: () => {
      failTable(faultOf);
      timer = setInterval(
        () => changeTo(next() < LOST_RATE ? 'lost-response' : 'none'),
        LOSS_INTERVAL_MS,
      );
    },
    end: () => {
      failTable(() => undefined);
      clearInterval(timer);
      changeTo('none');
    },
  };
}

/**
 * Kills the functions again and again, while DynamoDB refuses the writes of every other code. A
 * kill waits for a write, so that it ends a call whose write is made or not made, and whose
 * response is lost; and, however slow the machine is, until a call was queued since the last one.
 */
function kills({ failTable, kill }: LocalService, history: History): Faulty {
  const queued = () => history.outcomes().get('queued') ?? 0;
  let [writes, killed, before] = [0, 0, 0];
  const faultOf = (call: Call) => {
    if (!noWrites(call)) return undefined;
    if (++writes < WRITES_PER_KILL || queued() === before) {
      return numberOf(call) % 2 ? 'internal error' : undefined;
    }
    [writes, before] = [0, queued()];
    void kill();
    return ++killed % 2 === 0 ? 'no response, not executed' : 'no response, executed';
  };
  return {
    begin: () => {
      // The first write is of a call of an app: no message waits yet.
      [writes, before] = [WRITES_PER_KILL, -1];
      failTable(faultOf);
    },
    end: () => failTable(() => undefined),
  };
}

/** The number at the end of the code that is written. */
const numberOf = ({ input }: Call) => Number(/CAF\u00c9(\d+)/iu.exec(input.normalize())?.[1]);

/** Sends the same codes while device ids are not stored, while they are, and while they are not. */
async function recordChangedSetting(service: LocalService, seed: string): Promise<History> {
  const recorder = new Recorder(await service.newClient(USERS), seed);
  for (const setting of [false, true, false]) {
    await service.storeDeviceIds(setting);
    await recorder.send({ codes: CODES, onProgress: during(tableDown(service)) });
    await recorder.readDrained();
    await recorder.readBus();
  }
  await service.storeDeviceIds(true);
  return recorder.history;
}

/**
 * Lets the bus fail, and at first the queue of its dead letters, too, while the publisher is killed
 * and letters move, until each of that has happened.
 */
async function recordBusDown(service: LocalService, seed: string): Promise<History> {
  const { bus, change, killPublisher, redriver } = service;
  const recorder = new Recorder(await service.newClient(USERS), seed);
  for (const _ of ['new codes', 'the same codes']) {
    const { published } = redriver.moved;
    bus.fail(() => void killPublisher());
    await change('queue-down');
    await recorder.send({ codes: CODES });
    await change('none');
    await recorder.readDrained();
    while (!isHard(service, published) && !bus.isIdle()) await setTimeout(POLL_MS);
    bus.work();
    await recorder.readBus();
  }
  return recorder.history;
}

/** True if the bus failed in each way, and letters were moved besides so many. */
function isHard({ bus, redriver }: LocalService, moved: number): boolean {
  return bus.hasFailed() && redriver.moved.published > moved;
}

/** Erases two users, of whom codes are stored and others wait, while they send more. */
async function recordErasures(service: LocalService, seed: string): Promise<History> {
  const client = await service.newClient(USERS);
  const recorder = new Recorder(client, seed);
  const { begin, end } = tableDown(service);
  const [erased = '', sending = ''] = client.users;
  const beginOnce = (progress: number) => {
    if (progress > 0.5) begin();
  };
  await recorder.send({ codes: CODES, onProgress: beginOnce });
  await Promise.all([
    ...[erased, sending].map((user) =>
      recorder.erase(user, () => eraseUser(service, client, user)),
    ),
    recorder.sendToEach([sending], OVERLAP_MS),
  ]);
  end();
  await recorder.readDrained();
  await recorder.send({ codes: CODES, onProgress: during({ begin, end }) });
  await recorder.readDrained();
  return recorder.history;
}

/** Erases a user as `user erase` does. */
async function eraseUser({ outputs }: LocalService, { clientId }: Client, userId: string) {
  const erasure = userErasure({ clientId, userId });
  using tables = configurationTables(outputs);
  const deployment = {
    stackName: '',
    outputs,
    outputsFile: undefined,
    isProduction: false,
    appClients: [],
    requiresUserPoolClientIds: false,
  };
  const { failure } = await erasure.apply(
    {
      deployment,
      tables,
      isDryRun: false,
      isAsked: false,
      signal: new AbortController().signal,
      onCount: () => {},
      onWait: () => {},
    },
    { found: 0, spellings: [], otherForms: [] },
    '',
  );
  if (failure) throw failure;
}

async function recordAdapter(
  { outputs }: LocalService,
  seed: string,
  adapter: Parameters<typeof createAdapter>[2],
  resends: boolean,
): Promise<History> {
  using system = await createAdapter(
    outputs.DynamoDbEndpoint,
    `Adapter-${seed.replaceAll(' ', '-')}`,
    adapter,
  );
  const recorder = new Recorder(system, seed);
  await recorder.send({ codes: CODES, resends });
  await recorder.readDrained();
  return recorder.history;
}
