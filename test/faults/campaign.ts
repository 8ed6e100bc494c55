import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { Messages } from '../../cli/messages.ts';
import type { PromoEvent } from '../../core/promo-events/promo-event.ts';
import { databaseClient } from '../../local/database.ts';
import { type Issuer, signIdToken } from '../../local/issuer.ts';
import { close } from '../../local/listen.ts';
import { queueClient } from '../../local/queues.ts';
import { type LocalOutputs, startLocalServer } from '../../local/server.ts';
import { changedAssembly } from '../support/changed-assembly.ts';
import { FAULTS, FaultProxy, numbersOf, oneOf } from '../support/fault-proxy.ts';

/** A client's audience sends its promo codes, while DynamoDB has a bad day. */
export interface Campaign {
  /** Where `cdk synth` has written the stack. */
  readonly cloudAssembly: string;
  /** Decides who sends what, and which calls meet with which fault. */
  readonly seed: number;
  readonly applications: number;
  readonly users: number;
  /** The time in which they are sent. */
  readonly seconds: number;
  /** Which part of the calls of DynamoDB meets with a fault. */
  readonly faultRate: number;
  /** When nothing at all gets through to DynamoDB, in seconds from the start. */
  readonly outage: { readonly from: number; readonly to: number };
}

/** What came of it. */
export interface Figures {
  /** How often each fault happened. */
  readonly faults: ReadonlyMap<string, number>;
  /** Requests that were answered with success, and how many of them went to the queue. */
  readonly accepted: number;
  readonly queued: number;
  /** Requests that were answered with an error that no retry mends. */
  readonly refused: number;
  /** Requests to which the answer was one that a retry can mend, or none. */
  readonly unanswered: number;
  /** Seconds from the last answer until the queue was empty. */
  readonly drainedAfter: number;
  readonly items: number;
  /** Accepted requests that are not in the table. */
  readonly lost: readonly string[];
  /** Requests that are in the table more than once, and users with a code that was not applied once. */
  readonly duplicated: readonly string[];
  /** Items that no request should have made. */
  readonly wrong: readonly string[];
  /** Messages in the dead-letter queue. */
  readonly deadLetters: number;
}

const CLIENT = 'demo';
const APP_ID = 'demo-app-key';
const CODES = ['WELCOME10', 'SUMMER26'];
const REFUSED_RATE = 0.05;
const RETRY_RATE = 0.5;
const KILL_EVERY_MS = 5000;
const DRAIN_MS = 120_000;
const QUEUE = { visibilityTimeoutSeconds: 3, maxReceiveCount: 1000 };

/** A request of the campaign. */
interface Application {
  readonly user: string;
  readonly promoCode: string;
  readonly requestDate: string;
  /** Tells where it comes from. */
  readonly source: string;
  /** What is wrong with it, if it has to be refused. */
  readonly flaw: 'App-Id' | 'userId' | 'body' | undefined;
  /** Whether the app sends it again after an answer that says that this can help. */
  readonly isPersistent: boolean;
}

type Outcome = 'accepted' | 'queued' | 'refused' | 'unanswered';

/** Runs a campaign against the service, and looks at what is in the table when the queue is empty. */
export async function runCampaign(campaign: Campaign): Promise<Figures> {
  const way = await FaultProxy.start();
  const assembly = await changedAssembly(campaign.cloudAssembly, {
    environment: { AWS_ENDPOINT_URL_DYNAMODB: way.url },
    queue: QUEUE,
  });
  const folder = await mkdtemp(join(tmpdir(), 'customer-data-api-'));
  const server = await startLocalServer(assembly, { port: 0, folder, log: () => {} });
  way.target = server.outputs.DynamoDbEndpoint;
  const agent = new Agent({ keepAlive: true });
  try {
    const applications = applicationsOf(campaign);
    const tokens = await tokensOf(server.issuer, applications);
    const send = (application: Application) =>
      apply(server.outputs.ApiUrl, agent, application, tokens.get(application.user) ?? '');
    // The functions have read the client before the bad day.
    await send({ ...(applications[0] as Application), flaw: 'userId' });

    way.faultOf = faultsOf(campaign);
    const killer = setInterval(() => {
      for (const [id, operation] of server.functions) {
        if (id.startsWith('StoreQueuedPromoEvents')) void operation.stop();
      }
    }, KILL_EVERY_MS);
    const outcomes = await Promise.all(
      applications.map(async (application, index) => {
        await setTimeout((index / applications.length) * campaign.seconds * 1000);
        const outcome = await send(application);
        if (outcome !== 'unanswered' || !application.isPersistent) return outcome;
        await setTimeout(1000);
        return send(application);
      }),
    );
    clearInterval(killer);
    way.faultOf = () => undefined;
    const { drainedAfter, deadLetters } = await drained(server.outputs);
    const items = await itemsOf(server.outputs);
    const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
    return {
      faults: way.happened,
      accepted: count('accepted') + count('queued'),
      queued: count('queued'),
      refused: count('refused'),
      unanswered: count('unanswered'),
      drainedAfter,
      deadLetters,
      items: items.length,
      ...compared(applications, outcomes, items),
    };
  } finally {
    agent.destroy();
    await server.stop();
    await close(way.server);
    await rm(folder, { recursive: true });
  }
}

function applicationsOf({ seed, applications, users }: Campaign): Application[] {
  const next = numbersOf(`${seed} applications`);
  const now = Date.now();
  return Array.from({ length: applications }, (_, index) => {
    const user = `user-${index % users}`;
    const isRefused = next() < REFUSED_RATE;
    return {
      user,
      promoCode: isRefused ? 'REFUSED' : oneOf(CODES, next()),
      // Few, so that some come twice: an app that sends again, and one that has two devices.
      requestDate: new Date(now - Math.floor(next() * 3) * 60_000).toISOString(),
      source: `source-${index}`,
      flaw: isRefused ? oneOf(['App-Id', 'userId', 'body'] as const, next()) : undefined,
      isPersistent: next() < RETRY_RATE,
    };
  });
}

async function tokensOf(issuer: Issuer, applications: readonly Application[]) {
  const tokens = new Map<string, string>();
  for (const { user } of applications) {
    if (!tokens.has(user)) tokens.set(user, await signIdToken(issuer, { user }));
  }
  return tokens;
}

function faultsOf({ seed, faultRate, outage }: Campaign): FaultProxy['faultOf'] {
  const next = numbersOf(`${seed} faults`);
  const start = Date.now();
  return () => {
    const [isFaulty, which] = [next() < faultRate, next()];
    const seconds = (Date.now() - start) / 1000;
    if (seconds >= outage.from && seconds < outage.to) {
      // Some connections are refused, some half open.
      return oneOf(['reset before it was done', 'no answer, not done'] as const, which);
    }
    return isFaulty ? oneOf(FAULTS, which) : undefined;
  };
}

/** Sends a request as an app does. */
async function apply(
  apiUrl: string,
  agent: Agent,
  { user, promoCode, requestDate, source, flaw }: Application,
  token: string,
): Promise<Outcome> {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'App-Id': flaw === 'App-Id' ? 'guessed' : APP_ID,
    'Device-Id': '00000000-0000-0000-0000-000000000000',
    'Request-Date': requestDate,
  };
  const body = {
    clientId: CLIENT,
    promoCode,
    userId: flaw === 'userId' ? 'user-of-somebody-else' : user,
    eventType: flaw === 'body' ? '' : 'promo_applied',
    source,
  };
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      const outgoing = request(
        `${apiUrl}/promoCode/apply`,
        { method: 'POST', headers, agent },
        (response) => text(response).then(resolve, reject),
      );
      outgoing.on('error', reject);
      outgoing.end(JSON.stringify(body));
    });
    const { errors, notices, data } = JSON.parse(answer);
    if (errors.length === 0) return notices.length > 0 ? 'queued' : 'accepted';
    return data.retryable ? 'unanswered' : 'refused';
  } catch {
    return 'unanswered';
  }
}

/** Waits until nothing is in the queue. */
async function drained(outputs: LocalOutputs) {
  const sqs = queueClient(outputs.SqsEndpoint);
  const start = Date.now();
  const messagesIn = async (queueUrl: string) => {
    const { waiting, inFlight } = await new Messages(sqs, queueUrl).count();
    return waiting + inFlight;
  };
  while ((await messagesIn(outputs.PromoEventsQueueUrl)) > 0) {
    if (Date.now() - start > DRAIN_MS) throw new Error('The queue does not get empty.');
    await setTimeout(200);
  }
  const deadLetters = await messagesIn(outputs.PromoEventsDeadLetterQueueUrl);
  sqs.destroy();
  return { drainedAfter: Math.round((Date.now() - start) / 1000), deadLetters };
}

type Item = PromoEvent & { readonly eventId: string; readonly kind: string };

async function itemsOf({ DynamoDbEndpoint, PromoEventsTableName }: LocalOutputs): Promise<Item[]> {
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

/** Holds what is in the table against what was sent and answered. */
function compared(
  applications: readonly Application[],
  outcomes: readonly Outcome[],
  items: readonly Item[],
): Pick<Figures, 'lost' | 'duplicated' | 'wrong'> {
  const codeOf = (user: string, promoCode: string) => `${user} ${promoCode}`;
  const nameOf = (user: string, promoCode: string, date: string) => `${user} ${promoCode} ${date}`;
  const good = applications.filter(({ flaw }) => !flaw);
  const sources = Map.groupBy(good, ({ user, promoCode, requestDate }) =>
    nameOf(user, promoCode, requestDate),
  );
  const kept = Map.groupBy(items, ({ userId, promoCode, requestDate }) =>
    nameOf(userId, promoCode, requestDate),
  );
  const applied = Map.groupBy(
    items.filter(({ kind, eventId }) => kind === 'applied' && eventId.endsWith('#applied')),
    ({ userId, promoCode }) => codeOf(userId, promoCode),
  );
  const accepted = applications.filter((_, index) =>
    ['accepted', 'queued'].includes(outcomes[index] ?? ''),
  );
  const acceptedNames = new Set(
    accepted.map(({ user, promoCode, requestDate }) => nameOf(user, promoCode, requestDate)),
  );
  const codes = new Set(items.map(({ userId, promoCode }) => codeOf(userId, promoCode)));
  return {
    lost: [...acceptedNames].filter((name) => !kept.has(name)),
    duplicated: [
      ...[...kept].filter(([, { length }]) => length > 1).map(([name]) => name),
      ...[...codes].filter((code) => applied.get(code)?.length !== 1),
    ],
    wrong: items
      .filter(({ userId, promoCode, requestDate, source }) => {
        const sent = sources.get(nameOf(userId, promoCode, requestDate)) ?? [];
        return !sent.some((application) => application.source === source);
      })
      .map(({ eventId }) => eventId),
  };
}
