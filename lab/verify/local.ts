import { join } from 'node:path';
import type { LocalOutputs } from '../../packages/deployment/local/outputs-file.ts';
import type { Fault as ServerFault } from '../../packages/local/fault-switch.ts';
import { startLocalServer } from '../../packages/local/server/server.ts';
import { Cleanup } from '../../packages/on-call/smoke/subject.ts';
import { changedAssembly } from '../../test/support/changed-assembly.ts';
import { type Call, type Fault, startFaultProxy } from '../../test/support/fault-proxy.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { type Redriver, startRedriver } from '../redriver.ts';
import { createService } from './service.ts';

/** Deployed, a message that fails waits for two minutes, and 100 times. */
const QUEUE = { visibilityTimeoutSeconds: 3, maxReceiveCount: 2 };
/** A message that failed twice is a dead letter. SQS moves it back, also while the table fails. */
const REDRIVE_INTERVAL_MS = 1000;
const EMPTY_COUNTS = { count: 3, everyMs: 200 };

/** The service on this machine, and what a run does to it. */
export interface LocalService {
  readonly outputs: LocalOutputs;
  /** Moves dead letters back all the time. */
  readonly redriver: Redriver;
  /** Creates a client with users of its own. */
  readonly newClient: (users: number) => ReturnType<typeof createService>;
  /** Chooses the fault of each call of DynamoDB by a function. */
  readonly failTable: (faultOf: (call: Call) => Fault | undefined) => void;
  /** Changes what the local server does to requests, or to the queue. */
  readonly change: (fault: ServerFault) => Promise<void>;
  /** Deploys the functions that store promo events with a setting; at first, it is true. */
  readonly storeDeviceIds: (setting: boolean) => Promise<void>;
  /** Kills the functions that store promo events. The next call starts them again. */
  readonly kill: () => Promise<void>;
}

/** Starts the service of a cloud assembly, with a proxy before DynamoDB. */
export async function startLocalService(
  cloudAssembly: string,
): Promise<LocalService & AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const { path: folder } = started.use(await newFolder());
  const proxy = started.adopt(await startFaultProxy(), ({ stop }) => stop());
  const assembly = await changedAssembly(cloudAssembly, {
    environment: { AWS_ENDPOINT_URL_DYNAMODB: proxy.url, STORE_DEVICE_IDS: 'true' },
    queue: QUEUE,
  });
  const options = { port: 0, folder, hasStreams: false, log: () => {} };
  const { outputs, functions, stop } = await startLocalServer(assembly, options);
  started.defer(stop);
  proxy.target = outputs.DynamoDbEndpoint;
  const cleanup = started.use(new Cleanup(() => {}));
  const redriver = started.use(startRedriver(outputs, REDRIVE_INTERVAL_MS));
  const outputsFile = join(folder, 'outputs.json');
  const running = started.move();
  const storing = [...functions]
    .filter(([id]) => /^(ApplyPromoCode|StoreQueued)/.test(id))
    .map(([, one]) => one);
  let storesDeviceIds = true;
  return {
    outputs,
    redriver,
    newClient: async (users) => ({
      ...(await createService(outputs, outputsFile, users, EMPTY_COUNTS, cleanup)),
      storesDeviceIds: () => storesDeviceIds,
    }),
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
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
