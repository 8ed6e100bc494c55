import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { LocalOutputs } from '../../packages/deployment/local/outputs-file.ts';
import type { Fault as ServerFault } from '../../packages/local/fault-switch.ts';
import { startLocalServer } from '../../packages/local/server/server.ts';
import { Cleanup } from '../../packages/on-call/smoke/subject.ts';
import { changedAssembly } from '../../test/support/changed-assembly.ts';
import { type Call, type Fault, startFaultProxy } from '../../test/support/fault-proxy.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { type FailingBus, startBus } from './bus.ts';
import { type Redriver, startRedriver } from './redriver.ts';
import { createService } from './service.ts';
import type { StoredItem, System } from './system.ts';

/** Deployed, a message that fails waits for two minutes, and 100 times. */
const QUEUE = { visibilityTimeoutSeconds: 3, maxReceiveCount: 2 };
/** A message that failed twice is a dead letter. SQS moves it back, also while the table fails. */
const REDRIVE_INTERVAL_MS = 1000;
const EMPTY_COUNTS = { count: 3, everyMs: 200 };
/** An item is lost to the bus if for so long nothing is published and nothing waits. */
const LOST_MS = 30_000;
const POLL_MS = 200;

/** The service on this machine, and what a run does to it. */
export interface LocalService {
  readonly outputs: LocalOutputs;
  /** Moves dead letters back all the time. */
  readonly redriver: Redriver;
  /** Creates a client with users of its own. */
  readonly newClient: (
    users: number,
  ) => Promise<Awaited<ReturnType<typeof createService>> & Required<System>>;
  readonly bus: FailingBus;
  /** Chooses the fault of each call of DynamoDB by a function. */
  readonly failTable: (faultOf: (call: Call) => Fault | undefined) => void;
  /** Changes what the local server does to requests, or to the queue. */
  readonly change: (fault: ServerFault) => Promise<void>;
  /** Deploys the functions that store promo events with a setting; at first, it is true. */
  readonly storeDeviceIds: (setting: boolean) => Promise<void>;
  /** Kills the functions that store promo events. The next call starts them again. */
  readonly kill: () => Promise<void>;
  readonly killPublisher: () => Promise<void>;
}

/** Starts the service of a cloud assembly, with a proxy before DynamoDB and a bus that can fail. */
export async function startLocalService(
  cloudAssembly: string,
): Promise<LocalService & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const { path: folder } = started.use(await newFolder());
  const proxy = started.adopt(await startFaultProxy(), ({ stop }) => stop());
  const bus = started.adopt(await startBus(), ({ stop }) => stop());
  const assembly = await changedAssembly(cloudAssembly, {
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
      STORE_DEVICE_IDS: 'true',
    },
    queue: QUEUE,
  });
  const options = { port: 0, folder, log: () => {} };
  const { outputs, functions, stop } = await startLocalServer(assembly, options);
  started.defer(stop);
  proxy.target = outputs.DynamoDbEndpoint;
  const cleanup = started.use(new Cleanup(() => {}));
  const redriver = started.use(startRedriver(outputs, REDRIVE_INTERVAL_MS));
  const outputsFile = join(folder, 'outputs.json');
  const running = started.move();
  const functionsOf = (ids: RegExp) =>
    [...functions].filter(([id]) => ids.test(id)).map(([, one]) => one);
  const storing = functionsOf(/^(ApplyPromoCode|StoreQueued)/);
  const publishing = functionsOf(/^PublishPromoEvents/);
  let storesDeviceIds = true;
  return {
    outputs,
    redriver,
    newClient: async (users) => {
      const client = await createService(outputs, outputsFile, users, EMPTY_COUNTS, cleanup);
      return {
        ...client,
        storesDeviceIds: () => storesDeviceIds,
        readBus: () => readWhenPublished(client, bus, redriver),
      };
    },
    bus,
    failTable: (faultOf) => {
      proxy.faultOf = faultOf;
    },
    change: async (fault) => {
      await fetch(outputs.FaultEndpoint, { method: 'PUT', body: fault });
    },
    storeDeviceIds: async (setting) => {
      storesDeviceIds = setting;
      const environment = { STORE_DEVICE_IDS: String(setting) };
      await Promise.all(storing.map((one) => one.deploy({ environment })));
    },
    kill: async () => {
      await Promise.all(storing.map((one) => one.stop()));
    },
    killPublisher: async () => {
      await Promise.all(publishing.map((one) => one.stop()));
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Waits until the bus has each item, or gets nothing more. Returns what it was told, once each. */
async function readWhenPublished(
  client: Awaited<ReturnType<typeof createService>>,
  { events }: FailingBus,
  { unpublished }: Redriver,
): Promise<readonly StoredItem[]> {
  let [most, since] = [0, Date.now()];
  for (;;) {
    const told = events.filter(({ clientId }) => clientId === client.clientId);
    const eventIds = new Set(told.map(({ eventId }) => eventId));
    const isWaiting = (await unpublished()) > 0;
    if (isWaiting || events.length > most) [most, since] = [events.length, Date.now()];
    const isTold = (await client.read()).every(({ eventId }) => eventIds.has(eventId));
    if (!isWaiting && (isTold || Date.now() - since > LOST_MS)) {
      return [...new Map(told.map((one) => [JSON.stringify(one), one])).values()];
    }
    await setTimeout(POLL_MS);
  }
}
