import { readFile, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Changes } from 'customer-data-api/testing/changed-assembly';
import { type Service, startService } from 'customer-data-api/testing/service';
import { callInProcess, readCloudAssembly } from 'customer-data-api-local';
import { inject, vi } from 'vitest';
import type { State } from './rules.ts';

/*
 * The services of scenarios. Those of a file share one, because starting its functions takes most
 * of the time.
 */

type Item = Record<string, AttributeValue>;

/** Options in which services can differ. */
export interface ServiceSetting {
  /** Replaces environment variables of the functions, as other settings would. */
  readonly environment?: Changes['environment'];
  /** Lets the function run that records versions. */
  readonly records?: boolean;
  /** Lets the functions run that store and publish what is in the queues. */
  readonly storesQueued?: boolean;
}

const services = new Map<
  string,
  { readonly service: Service; readonly clients: readonly Item[] }
>();

/** Returns a service in which nothing has happened yet. */
export async function newService({
  environment = {},
  records = false,
  storesQueued = false,
}: ServiceSetting): Promise<Service> {
  const key = JSON.stringify({ environment, records, storesQueued });
  const used = services.get(key);
  if (used) {
    await forget(used.service, used.clients, records);
    return used.service;
  }
  const template = await templateWith(records, storesQueued);
  const variables = { CONFIG_CACHE_SECONDS: '0', ...environment };
  const service = await startService({ environment: variables, template });
  const clients = await itemsOf(service, service.outputs.ConfigsTableName);
  services.set(key, { service, clients });
  forgetStates(service);
  return service;
}

/** Stops all services. */
export async function stopServices(): Promise<void> {
  for (const { service } of services.values()) await service.stop();
  services.clear();
}

/** The content of the tables and queues of a service after the last call that can change them. */
const stored = new WeakMap<Service, Promise<Omit<State, 'events'>>>();
const READS = /\.(DescribeTable|Get(Item|QueueAttributes|Records|ShardIterator)|Query|Scan)$/;

/** Reading the state takes longer than most commands: only what may have changed is read again. */
function forgetStates(service: Service): void {
  const forget = () => stored.delete(service);
  for (const server of [service.servers.database, service.servers.queues]) {
    server.prependListener('request', ({ headers }, response) => {
      if (READS.test(String(headers['x-amz-target']))) return;
      forget();
      response.once('finish', forget);
    });
  }
}

/** Returns what is in the tables, in the queues and on the bus. */
export async function stateOf(service: Service): Promise<State> {
  const read = stored.get(service) ?? readStored(service);
  stored.set(service, read);
  return { ...(await read), events: await readFile(eventsOf(service), 'utf8') };
}

async function readStored(service: Service): Promise<Omit<State, 'events'>> {
  const { ConfigsTableName, PromoEventsTableName } = service.outputs;
  const [clients, promoEvents] = await Promise.all(
    [ConfigsTableName, PromoEventsTableName].map((name) => itemsOf(service, name)),
  );
  const queues = queuesOf(service).map((QueueUrl) => {
    const AttributeNames = ['', 'NotVisible'].map((end) => `ApproximateNumberOfMessages${end}`);
    return sqs(service, 'GetQueueAttributes', { QueueUrl, AttributeNames });
  });
  return {
    clients: clients?.map((item) => unmarshall(item)) ?? [],
    promoEvents: promoEvents ?? [],
    queues: await Promise.all(queues),
  };
}

/** Brings a service back to its beginning. */
async function forget(service: Service, clients: readonly Item[], records: boolean): Promise<void> {
  const { outputs } = service;
  const clear = async (TableName: string, ...names: string[]) => {
    for (const item of await itemsOf(service, TableName)) {
      if (clients.some((one) => isDeepStrictEqual(one, item))) continue;
      const Key = Object.fromEntries(names.map((name) => [name, item[name]]));
      await dynamodb(service, 'DeleteItem', { TableName, Key });
    }
  };
  await clear(outputs.ConfigsTableName, 'clientId');
  for (const Item of clients) {
    await dynamodb(service, 'PutItem', { TableName: outputs.ConfigsTableName, Item });
  }
  await clear(outputs.PromoEventsTableName, 'clientId', 'eventId');
  await clear(outputs.ErasuresTableName, 'clientId', 'user');
  if (records) await changesAreRecorded(service);
  await clear(outputs.ConfigVersionsTableName, 'clientId', 'version');
  for (const QueueUrl of queuesOf(service)) await sqs(service, 'PurgeQueue', { QueueUrl });
  await writeFile(eventsOf(service), '');
}

/**
 * Waits until all earlier changes are recorded: a client comes and goes, and its end is recorded
 * after them. It leaves no trace.
 */
export async function changesAreRecorded(service: Service): Promise<void> {
  const { ConfigsTableName: TableName, ConfigVersionsTableName } = service.outputs;
  const Item = { clientId: { S: 'the last one' }, fields: { L: [] } };
  await dynamodb(service, 'PutItem', { TableName, Item });
  await dynamodb(service, 'DeleteItem', { TableName, Key: { clientId: Item.clientId } });
  const versions = async () =>
    (await itemsOf(service, ConfigVersionsTableName)).filter(
      (one) => one.clientId?.S === Item.clientId.S,
    );
  await vi.waitUntil(async () => (await versions()).some((one) => one.isDeleted?.BOOL), {
    interval: 5,
  });
  for (const { clientId, version } of await versions()) {
    const Key = { clientId, version };
    await dynamodb(service, 'DeleteItem', { TableName: ConfigVersionsTableName, Key });
  }
}

const eventsOf = ({ folder }: Service) => join(folder, 'events.jsonl');

const queuesOf = ({ outputs }: Service) => [
  outputs.PromoEventsQueueUrl,
  outputs.PromoEventsDeadLetterQueueUrl,
  outputs.PromoEventsBusQueueUrl,
  outputs.PromoEventsBusDeadLetterQueueUrl,
  outputs.ConfigVersionsDeadLetterQueueUrl,
];

async function itemsOf(service: Service, TableName: string): Promise<Item[]> {
  const { Items } = await dynamodb(service, 'Scan', { TableName });
  return Items;
}

const dynamodb = ({ servers }: Service, operation: string, input: object) =>
  call(servers.database, `DynamoDB_20120810.${operation}`, input);

const sqs = ({ servers }: Service, operation: string, input: object) =>
  call(servers.queues, `AmazonSQS.${operation}`, input);

/**
 * Calls an embedded service. The clients of the SDK would take most of the time of a transcript.
 */
// biome-ignore lint/suspicious/noExplicitAny: each operation has its own answer
async function call(server: Server, target: string, input: object): Promise<any> {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': target,
    authorization:
      'AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/a/aws4_request, SignedHeaders=a, Signature=a',
    'x-amz-date': '20260101T000000Z',
  };
  const { status, body } = await callInProcess(server, headers, JSON.stringify(input));
  if (status !== 200) throw new Error(`${target} failed: ${body}`);
  return JSON.parse(String(body) || '{}');
}

let original: Promise<{ readonly Resources: object }> | undefined;

/** The template of the stack without the functions behind a stream or a queue that nobody needs. */
async function templateWith(records: boolean, storesQueued: boolean): Promise<object> {
  original ??= readTemplate();
  const { Resources, ...others } = await original;
  // biome-ignore lint/suspicious/noExplicitAny: each resource type has its own properties
  const left = Object.entries<any>(Resources).filter(([, { Type, Properties }]) => {
    if (Type !== 'AWS::Lambda::EventSourceMapping') return true;
    const isStream = JSON.stringify(Properties.EventSourceArn).includes('StreamArn');
    return isStream ? records : storesQueued;
  });
  return { ...others, Resources: Object.fromEntries(left) };
}

async function readTemplate(): Promise<{ readonly Resources: object }> {
  const folder = inject('cloudAssembly');
  const { stackName } = await readCloudAssembly(folder);
  return JSON.parse(await readFile(join(folder, `${stackName}.template.json`), 'utf8'));
}
