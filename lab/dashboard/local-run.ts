import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import type { Operation } from '../../functions/http/operation.ts';
import { headersOf } from '../../functions/http/request-headers.ts';
import { databaseClient, queueClient } from '../../packages/deployment/local/clients.ts';
import { signIdToken, type TokenOptions } from '../../packages/deployment/local/id-token.ts';
import { startLocalServer } from '../../packages/local/server/server.ts';
import { synthesize } from '../../packages/local/synthesize.ts';
import { Messages } from '../../packages/operator/promo-events/sqs-queue.ts';
import { changedAssembly } from '../../test/support/changed-assembly.ts';
import { type Datapoint, datapointsOf } from '../../test/support/embedded-metrics.ts';
import { noWrites, startFaultProxy } from '../../test/support/fault-proxy.ts';
import { newFolder } from '../../test/support/new-folder.ts';

/** The length of the run, in periods. */
export const PERIODS = 42;
/** A period of the run, which stands for five minutes. */
export const PERIOD_MS = 700;

/** The measurements of a local run. */
export interface LocalRun {
  /** Start of the run, in milliseconds since the epoch. */
  readonly start: number;
  readonly datapoints: readonly Datapoint[];
}

const NEW_CLIENT = { clientId: 'demo-new', appIds: ['demo-app-key'], fields: [], lastFieldId: 0 };
/** Manual edits in the first period with broken configurations. */
const MISTAKES = [
  { clientId: 'demo-broken', appIds: ['demo-app-key'], fields: [{ id: '1' }, 7], lastFieldId: 2 },
  { clientId: 'demo-locked', appId: ['demo-app-key'], fields: [], lastFieldId: 0 },
];
const FIRST_BROKEN = 22;

/** Tells what happens in a period besides the usual calls. */
function eventsIn(period: number) {
  const within = (first: number, last: number) => period >= first && period <= last;
  return {
    expired: within(5, 9),
    otherUsers: within(10, 12),
    noWrites: within(14, 17),
    broken: within(FIRST_BROKEN, 26),
    outage: within(28, 34),
  };
}

/** Serves a few hundred local requests, some of which fail, and collects CloudWatch's data. */
export async function localRun(): Promise<LocalRun> {
  await using files = await newFolder();
  const folder = files.path;
  const proxy = await startFaultProxy();
  const datapoints: Datapoint[] = [];
  const assembly = join(folder, 'cdk.out');
  await synthesize(assembly);
  const changed = await changedAssembly(assembly, {
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
      CONFIG_CACHE_SECONDS: '0',
      LOG_INTERVAL_SECONDS: '0',
    },
    queue: { visibilityTimeoutSeconds: 1, maxReceiveCount: 4 },
  });
  const log = (line: string) => {
    if (line.startsWith('{"_aws"')) datapoints.push(...datapointsOf(JSON.parse(line)));
  };
  const server = await startLocalServer(changed, { port: 0, folder, log });
  const { outputs, issuer } = server;
  proxy.target = outputs.DynamoDbEndpoint;
  const database = databaseClient(outputs.DynamoDbEndpoint);
  const sqs = queueClient(outputs.SqsEndpoint);

  const record = (namespace: string, values: object, dimensions: Datapoint['dimensions'] = {}) => {
    for (const [name, value] of Object.entries(values)) {
      datapoints.push({ namespace, name, dimensions, value, time: Date.now() });
    }
  };
  const call = async (operation: Operation, body = {}, token: TokenOptions = {}) => {
    const started = performance.now();
    const response = await fetch(`${outputs.ApiUrl}${operation.path}`, {
      method: 'POST',
      headers: headersOf({
        idToken: await signIdToken(issuer, token),
        appId: 'demo-app-key',
        deviceId: '00000000-0000-0000-0000-000000000000',
        requestDate: new Date().toISOString(),
      }),
      body: JSON.stringify({ ...operation.example.request, ...body }),
    });
    await response.arrayBuffer();
    const Latency = performance.now() - started;
    const ofClass = (hundreds: number) => Number(Math.floor(response.status / 100) === hundreds);
    const errors = { '4XXError': ofClass(4), '5XXError': ofClass(5) };
    record('AWS/ApiGateway', { Count: 1, ...errors, Latency });
    const FunctionName = operation === getConfig ? 'GetConfig' : 'ApplyPromoCode';
    const ofFunction = { Duration: Latency, Invocations: 1, ConcurrentExecutions: 1 };
    record('AWS/Lambda', ofFunction, { FunctionName });
  };
  const measureQueues = async () => {
    for (const [url, QueueName] of [
      [outputs.PromoEventsQueueUrl, 'PromoEventsQueue'],
      [outputs.PromoEventsDeadLetterQueueUrl, 'PromoEventsQueueDeadLetterQueue'],
    ] as const) {
      const { waiting, inFlight } = await new Messages(sqs, url).count();
      const name = 'ApproximateNumberOfMessages';
      const values = { [`${name}Visible`]: waiting, [`${name}NotVisible`]: inFlight };
      record('AWS/SQS', values, { QueueName });
    }
  };

  let calls = 0;
  const apply = (token?: TokenOptions) =>
    call(applyPromoCode, { promoCode: (calls++).toString(36) }, token);
  const get = (clientId: string) => call(getConfig, { clientId });
  /** Starts the calls of a period. */
  const callsIn = (period: number): Promise<void>[] => {
    const { expired, otherUsers, broken, outage } = eventsIn(period);
    const kinds: readonly [number, () => Promise<void>][] = [
      [6 + (period % 3), () => call(getConfig)],
      [2 + (period % 2), apply],
      [period % 4 === 0 ? 1 : 0, () => call(applyPromoCode, { promoCode: 'AGAIN' })],
      [expired ? 5 : 0, () => call(getConfig, {}, { expiresInSeconds: -5 })],
      [otherUsers ? 3 : 0, () => apply({ user: 'guest' })],
      [broken ? 2 : 0, () => get('demo-broken')],
      // This client has no cached copy.
      [outage ? 2 : 0, () => get('demo-new')],
      [broken ? 1 : 0, () => get('demo-locked')],
    ];
    return kinds.flatMap(([count, one]) => Array.from({ length: count }, () => one()));
  };
  try {
    const documentClient = DynamoDBDocumentClient.from(database);
    const put = (Item: object) =>
      documentClient.send(new PutCommand({ TableName: outputs.ConfigsTableName, Item }));
    await put(NEW_CLIENT);
    await Promise.all(callsIn(0));
    datapoints.length = 0;
    const start = Date.now();
    const inFlight: Promise<void>[] = [];
    for (let period = 0; period < PERIODS; period++) {
      const events = eventsIn(period);
      if (period === FIRST_BROKEN) await Promise.all(MISTAKES.map(put));
      proxy.faultOf = (request) => {
        if (events.outage) return 'throttled';
        return events.noWrites ? noWrites(request) : undefined;
      };
      inFlight.push(...callsIn(period), measureQueues());
      await setTimeout(start + (period + 1) * PERIOD_MS - Date.now());
    }
    await Promise.all(inFlight);
    return { start, datapoints };
  } finally {
    database.destroy();
    sqs.destroy();
    await server.stop();
    await proxy.stop();
  }
}
