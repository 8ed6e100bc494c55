import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { Messages } from '../../cli/queue-messages.ts';
import { databaseClient, queueClient } from '../../local/aws-clients.ts';
import { signIdToken } from '../../local/id-token.ts';
import type { Issuer } from '../../local/issuer.ts';
import type { LambdaFunction } from '../../local/lambda-function.ts';
import { close } from '../../local/listen.ts';
import type { LocalOutputs } from '../../local/outputs-file.ts';
import { startLocalServer } from '../../local/server.ts';
import { changedAssembly } from '../support/changed-assembly.ts';
import { FAULTS, type Fault, FaultProxy } from '../support/fault-proxy.ts';
import {
  type Application,
  CLIENT,
  generateApplications,
  type Outcome,
  send,
} from './application.ts';
import { type Discrepancies, findDiscrepancies, type Item } from './discrepancies.ts';
import { pick, randomNumbers } from './random.ts';

/** Users apply promo codes while DynamoDB fails. */
export interface Campaign {
  /** The folder of the synthesized stack. */
  readonly cloudAssembly: string;
  /** Determines who sends what, and which calls get which fault. */
  readonly seed: number;
  readonly applications: number;
  readonly users: number;
  /** The number of applications that wait for their response at a time: a slow machine takes longer, but has the same load. */
  readonly inFlight: number;
  /** The fraction of DynamoDB calls that get a fault, from 0 to 1. */
  readonly faultRate: number;
  /** No call reaches DynamoDB while these applications are sent, as fractions of all. */
  readonly outage: { readonly from: number; readonly to: number };
}

/** The results of a campaign. */
export interface Figures extends Discrepancies {
  /** How often each fault occurred. */
  readonly faults: ReadonlyMap<Fault, number>;
  /** Requests with a success response, including the queued ones. */
  readonly accepted: number;
  readonly queued: number;
  /** Requests with an error response that says that no retry helps. */
  readonly refused: number;
  /** Requests with a retryable error response, or without a response. */
  readonly unresolved: number;
  /** Seconds from the last response until the queue was empty. */
  readonly drainedAfter: number;
  readonly items: number;
  /** Messages in the dead-letter queue. */
  readonly deadLetters: number;
}

const KILL_INTERVAL_MS = 5000;
const RETRY_DELAY_MS = 1000;
const MAX_WARM_UPS = 10;
const DRAIN_TIMEOUT_MS = 120_000;
const QUEUE = { visibilityTimeoutSeconds: 3, maxReceiveCount: 1000 };

/** Runs a campaign against the service, waits until the queue is empty, and checks the table. */
export async function runCampaign(campaign: Campaign): Promise<Figures> {
  const proxy = await FaultProxy.start();
  const assembly = await changedAssembly(campaign.cloudAssembly, {
    environment: { AWS_ENDPOINT_URL_DYNAMODB: proxy.url },
    queue: QUEUE,
  });
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const server = await startLocalServer(assembly, {
    port: 0,
    folder,
    hasStreams: false,
    log: () => {},
  });
  proxy.target = server.outputs.DynamoDbEndpoint;
  const agent = new Agent({ keepAlive: true });
  try {
    const applications = generateApplications(campaign);
    const tokens = await signTokens(server.issuer, applications);
    const sendOne = (application: Application) =>
      send(server.outputs.ApiUrl, agent, application, tokens.get(application.user) ?? '');
    await warmUp(() => sendOne({ ...(applications[0] as Application), flaw: 'userId' }));

    const sending = new Sending(applications, sendOne);
    proxy.faultOf = faultsOf(campaign, sending);
    const killer = setInterval(() => killConsumer(server.functions), KILL_INTERVAL_MS);
    const outcomes = await sending.send(campaign.inFlight);
    clearInterval(killer);
    proxy.faultOf = () => undefined;
    const { drainedAfter, deadLetters } = await drain(server.outputs);
    const items = await readItems(server.outputs);
    const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
    return {
      faults: proxy.faultCounts,
      accepted: count('accepted') + count('queued'),
      queued: count('queued'),
      refused: count('refused'),
      unresolved: count('unresolved'),
      drainedAfter,
      deadLetters,
      items: items.length,
      ...findDiscrepancies(applications, outcomes, items),
    };
  } finally {
    agent.destroy();
    await server.stop();
    await close(proxy.server);
    await rm(folder, { recursive: true });
  }
}

/**
 * Sends a request that is refused only after the client's record was read, until it is, so that the function has cached the
 * record before the faults begin. On a busy machine, a function that starts can be too slow for its first request.
 */
async function warmUp(sendRefused: () => Promise<Outcome>): Promise<void> {
  for (let requests = 0; requests < MAX_WARM_UPS; requests++) {
    if ((await sendRefused()) === 'refused') return;
  }
  throw new Error('The function does not answer before the faults begin.');
}

async function signTokens(issuer: Issuer, applications: readonly Application[]) {
  const tokens = new Map<string, string>();
  for (const { user } of applications) {
    if (!tokens.has(user)) tokens.set(user, await signIdToken(issuer, { user }));
  }
  return tokens;
}

/** Sends all applications, one after the other. Persistent apps retry once. */
class Sending {
  readonly #applications: readonly Application[];
  readonly #sendOne: (application: Application) => Promise<Outcome>;
  #started = 0;

  constructor(
    applications: readonly Application[],
    sendOne: (application: Application) => Promise<Outcome>,
  ) {
    this.#applications = applications;
    this.#sendOne = sendOne;
  }

  /** The fraction of the applications that were sent, from 0 to 1. */
  get progress(): number {
    return this.#started / this.#applications.length;
  }

  /** @param inFlight the number that wait for their response at a time. */
  async send(inFlight: number): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const remaining = this.#applications.entries();
    const work = async () => {
      for (const [index, application] of remaining) {
        this.#started++;
        outcomes[index] = await this.#sendPersistently(application);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, work));
    return outcomes;
  }

  async #sendPersistently(application: Application): Promise<Outcome> {
    const outcome = await this.#sendOne(application);
    if (outcome !== 'unresolved' || !application.isPersistent) return outcome;
    await setTimeout(RETRY_DELAY_MS);
    return this.#sendOne(application);
  }
}

function killConsumer(functions: ReadonlyMap<string, LambdaFunction>): void {
  for (const [id, lambdaFunction] of functions) {
    if (id.startsWith('StoreQueuedPromoEvents')) void lambdaFunction.stop();
  }
}

function faultsOf(
  { seed, faultRate, outage }: Campaign,
  sending: Pick<Sending, 'progress'>,
): FaultProxy['faultOf'] {
  const next = randomNumbers(`${seed} faults`);
  return () => {
    const [isFaulty, which] = [next() < faultRate, next()];
    if (sending.progress >= outage.from && sending.progress < outage.to) {
      // In an outage, some connections are reset and others stay half open.
      return pick(['connection reset, not executed', 'no response, not executed'] as const, which);
    }
    return isFaulty ? pick(FAULTS, which) : undefined;
  };
}

/** Waits until the queue is empty. */
async function drain(outputs: LocalOutputs) {
  const sqs = queueClient(outputs.SqsEndpoint);
  const start = Date.now();
  const countMessages = async (queueUrl: string) => {
    const { waiting, inFlight } = await new Messages(sqs, queueUrl).count();
    return waiting + inFlight;
  };
  while ((await countMessages(outputs.PromoEventsQueueUrl)) > 0) {
    if (Date.now() - start > DRAIN_TIMEOUT_MS) throw new Error('The queue is still not empty.');
    await setTimeout(200);
  }
  const deadLetters = await countMessages(outputs.PromoEventsDeadLetterQueueUrl);
  sqs.destroy();
  return { drainedAfter: Math.round((Date.now() - start) / 1000), deadLetters };
}

async function readItems({
  DynamoDbEndpoint,
  PromoEventsTableName,
}: LocalOutputs): Promise<Item[]> {
  const client = databaseClient(DynamoDbEndpoint);
  const items: Item[] = [];
  for await (const page of paginateQuery(
    { client: DynamoDBDocumentClient.from(client) },
    {
      TableName: PromoEventsTableName,
      KeyConditionExpression: 'clientId = :clientId',
      ExpressionAttributeValues: { ':clientId': CLIENT },
    },
  )) {
    items.push(...((page.Items ?? []) as Item[]));
  }
  client.destroy();
  return items;
}
