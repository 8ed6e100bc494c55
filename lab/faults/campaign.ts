import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { PROMO_EVENTS_SOURCE } from '../../core/promo-events/published-event.ts';
import { databaseClient } from '../../packages/deployment/local/clients.ts';
import { signIdToken } from '../../packages/deployment/local/id-token.ts';
import type { LocalOutputs } from '../../packages/deployment/local/outputs-file.ts';
import { EVENTS_FILE } from '../../packages/local/events/event-bus.ts';
import { startLocalServer } from '../../packages/local/server/server.ts';
import { changedAssembly } from '../../test/support/changed-assembly.ts';
import { FAULTS, type Fault, startFaultProxy } from '../../test/support/fault-proxy.ts';
import { itemsIn } from '../../test/support/items-in.ts';
import { pick, randomNumbers } from '../../test/support/random-numbers.ts';
import { WAIT_MS } from '../../test/support/wait.ts';
import { startRedriver } from '../redriver.ts';
import {
  type Application,
  CLIENT,
  generateApplications,
  type Outcome,
  send,
} from './application.ts';
import { type Discrepancies, findDiscrepancies, type Item } from './discrepancies.ts';

/** Users apply promo codes while DynamoDB and the event bus fail. */
export interface Campaign {
  /** The folder of the synthesized stack. */
  readonly cloudAssembly: string;
  /** Determines who sends what, and which calls get which fault. */
  readonly seed: number;
  readonly applications: number;
  readonly users: number;
  /**
   * The number of applications that wait for their response at a time: a slow machine takes longer,
   * but has the same load.
   */
  readonly inFlight: number;
}

/** The results of a campaign. */
export interface Figures extends Discrepancies {
  /** Counts of the faults of DynamoDB and of the bus that occurred. */
  readonly faults: ReadonlyMap<Fault, number>;
  readonly faultsOfBus: ReadonlyMap<Fault, number>;
  /** The number of times that an event was not published and stayed in the stream. */
  readonly postponed: number;
  /** Requests by their outcome, retries included. Those that are queued are accepted too. */
  readonly accepted: number;
  readonly queued: number;
  readonly refused: number;
  readonly unresolved: number;
  /** Seconds from the last response until the queue was empty. */
  readonly drainedAfter: number;
  readonly items: number;
  /** Events on the bus, repeated ones included. */
  readonly events: number;
  /** Seconds from the empty queue until each item was on the bus. */
  readonly publishedAfter: number;
  /** Dead letters of the queue and of the bus that SQS was asked to move. */
  readonly moved: number;
  readonly movedOfBus: number;
  /** Messages that are left in the queues, and in those of the bus. */
  readonly deadLetters: number;
  readonly deadLettersOfBus: number;
}

/**
 * The fraction of calls that get a fault, and that of the applications during which no call reaches
 * DynamoDB, or the bus. The bus is down until the queue is empty: so while DynamoDB works.
 */
const FAULT_RATE = 0.3;
const OUTAGE = { from: 1 / 3, to: 2 / 3 };
const OUTAGE_OF_BUS = { from: 1 / 2, to: Number.POSITIVE_INFINITY };
/** So many calls the bus refuses at first. What it refuses three times is a dead letter. */
const REFUSALS = 30;
/** In an outage, some connections are reset and others stay half open. */
const FAULTS_OF_OUTAGE = ['connection reset, not executed', 'no response, not executed'] as const;
/** The beginnings of the ids of the functions that are killed, each time for another setting. */
const KILLED = ['StoreQueued', 'PublishPromoEvents'];
const KILL_INTERVAL_MS = 5000;
const RETRY_DELAY_MS = 1000;
const MAX_WARM_UPS = 10;
/** A message that failed is a dead letter. A redrive moves it, also in vain. */
const QUEUE = { visibilityTimeoutSeconds: 6, maxReceiveCount: 1 };
const REDRIVE_INTERVAL_MS = 3000;

/**
 * Runs a campaign against the service, waits until the queue is empty and all events are on the
 * bus, and checks the table and the bus.
 */
export async function runCampaign(campaign: Campaign): Promise<Figures> {
  const [proxy, toBus] = await Promise.all([startFaultProxy(), startFaultProxy()]);
  const assembly = await changedAssembly(campaign.cloudAssembly, {
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
      AWS_ENDPOINT_URL_EVENTBRIDGE: toBus.url,
      STORE_DEVICE_IDS: 'true',
    },
    queue: QUEUE,
  });
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  let postponed = 0;
  const log = (line: string) => {
    if (line.includes('not published yet')) postponed++;
  };
  const options = { port: 0, folder, log };
  const { outputs, issuer, functions, stop } = await startLocalServer(assembly, options);
  proxy.target = outputs.DynamoDbEndpoint;
  toBus.target = outputs.EventBridgeEndpoint;
  try {
    await ignoreCase(outputs);
    await newsIsOut(join(folder, EVENTS_FILE));
    const applications = generateApplications(campaign);
    const tokens = new Map<string, string>();
    for (const user of new Set(applications.map((one) => one.user))) {
      tokens.set(user, await signIdToken(issuer, { user }));
    }
    const sendOne = (one: Application) => send(outputs.ApiUrl, one, tokens.get(one.user) ?? '');
    await warmUp(() => sendOne({ ...(applications[0] as Application), flaw: 'userId' }));

    let started = 0;
    const faultsDuring = (outage: typeof OUTAGE, numbers: string) => {
      const next = randomNumbers(`${campaign.seed} ${numbers}`);
      // In turn: every kind occurs, however few calls a busy machine makes.
      let faults = 0;
      return () => {
        const [isFaulty, which] = [next() < FAULT_RATE, next()];
        const progress = started / applications.length;
        if (progress >= outage.from && progress < outage.to) return pick(FAULTS_OF_OUTAGE, which);
        return isFaulty ? FAULTS[faults++ % FAULTS.length] : undefined;
      };
    };
    proxy.faultOf = faultsDuring(OUTAGE, 'faults');
    const faultOfBus = faultsDuring(OUTAGE_OF_BUS, 'faults of the bus');
    let calls = 0;
    toBus.faultOf = () => (++calls <= REFUSALS ? 'refused for good' : faultOfBus());
    using redriver = startRedriver(outputs, REDRIVE_INTERVAL_MS);
    let storesDeviceIds = true;
    const killer = setInterval(() => {
      storesDeviceIds = !storesDeviceIds;
      const environment = { STORE_DEVICE_IDS: String(storesDeviceIds) };
      for (const [id, one] of functions) {
        if (KILLED.some((name) => id.startsWith(name))) void one.deploy({ environment });
      }
    }, KILL_INTERVAL_MS);
    const outcomes: Outcome[] = [];
    const remaining = applications.entries();
    const work = async () => {
      for (const [index, application] of remaining) {
        started++;
        let outcome = await sendOne(application);
        // Persistent apps retry once.
        if (outcome === 'unresolved' && application.isPersistent) {
          await setTimeout(RETRY_DELAY_MS);
          outcome = await sendOne(application);
        }
        outcomes[index] = outcome;
      }
    };
    await Promise.all(Array.from({ length: campaign.inFlight }, work));
    clearInterval(killer);
    proxy.faultOf = () => undefined;
    const drainedAfter = await drain(redriver.unstored);
    await waitUntil(() => postponed > 0);
    toBus.faultOf = () => undefined;
    const { items, eventIds, ...published } = await awaitEvents(join(folder, EVENTS_FILE), outputs);
    await drain(redriver.unpublished);
    const { stored: moved, published: movedOfBus } = redriver.moved;
    const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
    return {
      faults: proxy.faultCounts,
      faultsOfBus: toBus.faultCounts,
      postponed,
      accepted: count('accepted') + count('queued'),
      queued: count('queued'),
      refused: count('refused'),
      unresolved: count('unresolved'),
      drainedAfter,
      moved,
      movedOfBus,
      deadLetters: await redriver.unstored(),
      deadLettersOfBus: await redriver.unpublished(),
      items: items.length,
      events: eventIds.length,
      ...published,
      ...findDiscrepancies(applications, outcomes, items, eventIds),
    };
  } finally {
    await stop();
    await Promise.all([proxy.stop(), toBus.stop()]);
    await rm(folder, { recursive: true });
  }
}

/** Lets the case of promo codes not count, before a function reads the client. */
async function ignoreCase({ DynamoDbEndpoint, ConfigsTableName }: LocalOutputs): Promise<void> {
  const client = databaseClient(DynamoDbEndpoint);
  const update = new UpdateCommand({
    TableName: ConfigsTableName,
    Key: { clientId: CLIENT },
    UpdateExpression: 'SET promoCodesIgnoreCase = :true',
    ExpressionAttributeValues: { ':true': true },
  });
  await DynamoDBDocumentClient.from(client).send(update);
  client.destroy();
}

/**
 * Waits for the news of that change, which a bus that fails would make a dead letter. Those of
 * other clients came before it.
 */
async function newsIsOut(file: string): Promise<void> {
  const start = Date.now();
  for (;;) {
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    const isOut = lines
      .map((line) => JSON.parse(line).detail)
      .some(
        ({ clientId, configurationVersion }) => clientId === CLIENT && configurationVersion === 2,
      );
    if (isOut) return;
    if (Date.now() - start > WAIT_MS) throw new Error('The change of the client is no news.');
    await setTimeout(50);
  }
}

/**
 * Sends a request that is refused only after the client's record was read, until it is, so that the
 * function has cached the record before the faults begin. On a busy machine, a function that starts
 * can be too slow for its first request.
 */
async function warmUp(sendRefused: () => Promise<Outcome>): Promise<void> {
  for (let requests = 0; requests < MAX_WARM_UPS; requests++) {
    if ((await sendRefused()) === 'refused') return;
  }
  throw new Error('The function does not answer before the faults begin.');
}

/**
 * Waits until no messages are left. Returns after how many seconds.
 *
 * @throws Error if they do not become fewer for `WAIT_MS`.
 */
async function drain(countLeft: () => Promise<number>): Promise<number> {
  const start = Date.now();
  let [fewest, since] = [Number.POSITIVE_INFINITY, start];
  while (fewest > 0) {
    const left = await countLeft();
    if (left < fewest) [fewest, since] = [left, Date.now()];
    if (Date.now() - since > WAIT_MS) throw new Error(`${left} messages stay in the queues.`);
    await setTimeout(200);
  }
  return secondsSince(start);
}

/** Waits for something that has to happen soon, but not longer than `WAIT_MS`. */
async function waitUntil(happens: () => boolean): Promise<void> {
  const start = Date.now();
  while (!happens() && Date.now() - start < WAIT_MS) await setTimeout(200);
}

function secondsSince(start: number): number {
  return Math.round((Date.now() - start) / 1000);
}

/**
 * Waits until each item is on the bus, or no new event comes for `WAIT_MS`. Reads the items after
 * the events, as a write that the service has given up can still be executed.
 */
async function awaitEvents(file: string, outputs: LocalOutputs) {
  const start = Date.now();
  let [most, since] = [0, start];
  for (;;) {
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    const events = lines.map((line) => JSON.parse(line));
    const eventIds = events
      .filter(({ source }) => source === PROMO_EVENTS_SOURCE)
      .map((event): string => event.detail.eventId);
    if (lines.length > most) [most, since] = [lines.length, Date.now()];
    const onBus = new Set(eventIds);
    const items = await readItems(outputs);
    const isStalled = Date.now() - since > WAIT_MS;
    if (isStalled || items.every(({ eventId }) => onBus.has(eventId))) {
      return {
        items,
        eventIds,
        publishedAfter: secondsSince(start),
      };
    }
    await setTimeout(200);
  }
}

async function readItems({ DynamoDbEndpoint, PromoEventsTableName }: LocalOutputs) {
  const client = databaseClient(DynamoDbEndpoint);
  const items = await itemsIn(PromoEventsTableName, DynamoDBDocumentClient.from(client), CLIENT);
  client.destroy();
  return items as Item[];
}
