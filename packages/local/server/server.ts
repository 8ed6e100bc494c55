import type { Server } from 'node:http';
import type { SQSClient } from '@aws-sdk/client-sqs';
import {
  type Callers,
  close,
  createJwksServer,
  expectNoServer,
  type Issuer,
  issuerFrom,
  jwksPath,
  type LocalOutputs,
  listen,
  openKeptLines,
  queueClient,
  readOrCreateSigningKey,
  writeOutputs,
} from 'customer-data-api-deployment/local';
import { createTokenServer } from '../cognito/token-server.ts';
import { embeddedDynamoDb, startDatabase } from '../dynamodb/database.ts';
import { expireItems } from '../dynamodb/expire-items.ts';
import { createStreamingDatabase } from '../dynamodb/streaming-database.ts';
import { createEventBusServer, EventBus } from '../events/event-bus.ts';
import { startQueues } from '../events/queues.ts';
import { createFaultServer, type Fault, FaultSwitch } from '../fault-switch.ts';
import { createGateway } from '../gateway/gateway.ts';
import { readRestApi } from '../gateway/template-rest-api.ts';
import { LambdaFunction, type LambdaFunctionProps } from '../lambda/lambda-function.ts';
import { pollEventSource } from '../lambda/queue-event-source.ts';
import type { Synthesized } from '../synthesize.ts';
import { connectStreams } from './connect-streams.ts';
import { createFronts } from './fronts.ts';
import { restoreRecords, stopConsumers } from './kept-records.ts';

/** A pause in milliseconds. DynamoDB takes up to a few days. */
const EXPIRY_MS = 60_000;

export interface LocalServerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The folder of `outputs.json`, the signing key and the events. */
  readonly folder: string;
  /** The folder of DynamoDB's data; without it, data is in memory. */
  readonly dataFolder?: string | undefined;
  /** Makes stream records by default. Without them, a write is one call instead of three. */
  readonly hasStreams?: boolean | undefined;
  /** True to throttle as the template says; a number is the requests per second of a route. */
  readonly throttle?: boolean | number | undefined;
  /** Another address of this machine at which the API listens; see `Callers`. */
  readonly host?: string | undefined;
  /** The initial fault; default: none. */
  readonly fault?: Fault | undefined;
  /** Receives each line that a function logs. */
  readonly log: (line: string) => void;
  /** Serves the console of this server. It is stopped with it. */
  readonly serveConsole?: (
    stackName: string,
    outputs: LocalOutputs,
  ) => Promise<AsyncDisposable & { readonly url: string }>;
}

/** The stack, running on this machine. */
export interface LocalServer {
  readonly outputs: LocalOutputs;
  readonly issuer: Issuer;
  readonly servers: Readonly<Record<'gateway' | 'jwks' | 'database' | 'queues' | 'events', Server>>;
  /** The functions by logical id. */
  readonly functions: ReadonlyMap<string, LambdaFunction>;
  /** Removes the items that have expired, which also happens every minute. */
  readonly expire: () => Promise<void>;
  /** Stops all servers and functions, and removes `outputs.json`. */
  readonly stop: () => Promise<void>;
}

/**
 * Runs a synthesized stack on this machine: routes, functions, tables, queues, streams and gateway
 * responses come from the template.
 *
 * @throws UserError if a port or a folder cannot be used, or another server uses the folder.
 */
export async function startLocalServer(
  synthesized: Synthesized,
  options: LocalServerOptions,
): Promise<LocalServer> {
  const { stackName, template } = synthesized;
  const { port, folder, throttle, host, fault = 'none', serveConsole } = options;
  await expectNoServer(folder);
  await using started = new AsyncDisposableStack();
  const serve: Serve = async (server, serverPort, callers) => {
    const origin = await listen(server, serverPort, callers);
    started.defer(() => close(server));
    return origin;
  };
  const stackOutputs = template.outputs() as StackOutputs;
  const issuer = issuerFrom(stackOutputs, await readOrCreateSigningKey(folder));
  const functions = new Map<string, LambdaFunction>();

  const api = readRestApi(template);
  const apiFunctions = new Set(api.routes.map((route) => route.functionLogicalId));
  const faults = new FaultSwitch(fault, async (before) => {
    if (![before, faults.fault].includes('keys-down')) return;
    // A running function has fetched the keys, or remembers that it could not.
    await Promise.all([...apiFunctions].map((id) => functions.get(id)?.stop()));
  });
  // The gateway starts first: a port in use is reported before anything else starts.
  const gateway = createGateway(api, functions, { throttle, faults });
  const ApiUrl = await serve(gateway, port, { pages: 'all', host });
  const jwks = createJwksServer(issuer);
  const jwksOrigin = await serve(jwks);
  const start: Starting = { synthesized, options, started, serve, stackOutputs, functions, faults };
  const messages = await startMessages(start);
  const tables = await startTables(start);
  await startFunctions(start, { apiUrl: ApiUrl, jwks, messages, tables });

  const endpointOutputs: LocalOutputs = {
    ...stackOutputs,
    ApiUrl,
    DynamoDbEndpoint: tables.endpoint,
    EventBridgeEndpoint: messages.eventBridgeEndpoint,
    SqsEndpoint: messages.queues.endpoint,
    JwksUri: `${jwksOrigin}${jwksPath(issuer.userPoolId)}`,
    FaultEndpoint: await serve(createFaultServer(faults)),
    TokenEndpoint: await serve(createTokenServer(issuer), 0, { pages: 'ofThisMachine' }),
  };
  const page = await serveConsole?.(stackName, endpointOutputs);
  if (page) started.use(page);
  const outputs = { ...endpointOutputs, ...(page && { ConsoleUrl: page.url }) };
  started.defer(await writeOutputs(folder, { [stackName]: outputs }));
  const running = started.move();
  const { events, queues } = messages;
  return {
    outputs,
    issuer,
    servers: { gateway, jwks, database: tables.database, events, queues: queues.server },
    functions,
    expire: tables.expire,
    stop: () => running.disposeAsync(),
  };
}

type StackOutputs = Readonly<Record<keyof LocalOutputs, string>>;
/** Lets a server listen until everything stops. Returns its origin. */
type Serve = (server: Server, port?: number, callers?: Callers) => Promise<string>;

/** The options with which each part of the server starts. */
interface Starting {
  readonly synthesized: Synthesized;
  readonly options: LocalServerOptions;
  /** The parts that are stopped, the last first. */
  readonly started: AsyncDisposableStack;
  readonly serve: Serve;
  readonly stackOutputs: StackOutputs;
  /** The functions by logical id; `startFunctions` adds them. */
  readonly functions: Map<string, LambdaFunction>;
  readonly faults: FaultSwitch;
}

/** Starts the queues and the event bus. */
async function startMessages({ synthesized: { template }, options, started, serve }: Starting) {
  const queues = await startQueues(template.queues());
  started.defer(queues.stop);
  const bus = await EventBus.open(options.folder, options.dataFolder !== undefined);
  const events = createEventBusServer(bus);
  const eventBridgeEndpoint = await serve(events);
  const sqs = queueClient(queues.endpoint);
  started.defer(async () => sqs.destroy());
  return { queues, bus, events, eventBridgeEndpoint, sqs };
}

/** Starts DynamoDB with the tables of the stack, their streams and their expiry. */
async function startTables({
  synthesized: { template },
  options,
  started,
  serve,
  stackOutputs,
  functions,
}: Starting) {
  const { dataFolder, hasStreams = true } = options;
  const engine = await startDatabase(
    await embeddedDynamoDb(dataFolder),
    template.tables(),
    stackOutputs.ConfigsTableName,
    stackOutputs.UserPoolClientId.split(','),
  );
  started.defer(() => close(engine.server));
  const streams = connectStreams(template, functions);
  const database = hasStreams
    ? createStreamingDatabase(engine.server, streams.tables)
    : engine.server;
  const endpoint = hasStreams ? await serve(database) : engine.endpoint;
  const expire = () => expireItems(endpoint, template.tables());
  if (hasStreams) started.use(everyMinute(expire));
  return { database, endpoint, consumers: streams.consumers, expire };
}

/** The endpoints that functions reach. */
interface Reached {
  readonly apiUrl: string;
  readonly jwks: Server;
  readonly messages: Awaited<ReturnType<typeof startMessages>>;
  readonly tables: Awaited<ReturnType<typeof startTables>>;
}

/** Adds the functions, and lets queues and schedules call them. */
async function startFunctions(
  { synthesized, options, started, serve, stackOutputs, functions, faults }: Starting,
  { apiUrl, jwks, messages: { queues, bus, sqs }, tables }: Reached,
): Promise<void> {
  const { template } = synthesized;
  const { folder, dataFolder, log } = options;
  const fronts = createFronts(faults, {
    keys: jwks,
    database: tables.database,
    queue: queues.server,
  });
  const eventBus = createEventBusServer(bus, () => {
    if (faults.fault === 'bus-down') return 'down';
    return faults.fault === 'bus-refuses' ? 'refuses' : undefined;
  });
  const endpoints = {
    AWS_ENDPOINT_URL_EVENTBRIDGE: await serve(eventBus),
    AWS_ENDPOINT_URL_DYNAMODB: await serve(fronts.configs),
    AWS_ENDPOINT_URL_SQS: await serve(fronts.queue),
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: await serve(fronts.keys),
  };
  const ofPromoEvents = { AWS_ENDPOINT_URL_DYNAMODB: await serve(fronts.promoEvents) };
  const keepLine = await openKeptLines(folder, dataFolder !== undefined);
  addFunctions(functions, synthesized, (variables) => ({
    endpoints: { ...endpoints, ...(variables.PROMO_EVENTS_TABLE_NAME && ofPromoEvents) },
    environment: withApiUrl(variables, stackOutputs.ApiUrl, apiUrl),
    log: (line) => {
      keepLine(line);
      log(line);
    },
  }));
  if (dataFolder !== undefined) await restoreRecords(dataFolder, tables.consumers);
  const endTriggers = startTriggers(template, functions, sqs);
  // All at once: a poller waits for its function, and stopping the function ends that wait.
  started.defer(async () => {
    const stopping = [...functions.values()].map((one) => one.stop());
    await Promise.all([endTriggers(), stopConsumers(tables.consumers, dataFolder), ...stopping]);
  });
}

/** Expires items, until it is disposed of. */
function everyMinute(expire: () => Promise<void>): Disposable {
  const expiring = setInterval(() => void expire().catch(() => {}), EXPIRY_MS);
  return { [Symbol.dispose]: () => clearInterval(expiring) };
}

/** Values for a function on this machine, by the variables that it has in AWS. */
type Surroundings = (variables: Readonly<Record<string, string>>) => Pick<
  LambdaFunctionProps,
  'endpoints' | 'log'
> & {
  readonly environment: Readonly<Record<string, string>>;
};

/** Adds the functions of the stack, by logical id. Each starts with its first call. */
function addFunctions(
  functions: Map<string, LambdaFunction>,
  { template, assetFolders }: Pick<Synthesized, 'template' | 'assetFolders'>,
  surroundings: Surroundings,
): void {
  for (const definition of template.functions()) {
    const folder = assetFolders.get(definition.codeKey);
    if (!folder) throw new Error(`The cloud assembly has no asset ${definition.codeKey}.`);
    const { environment, ...others } = surroundings(definition.environment);
    const props = { definition: { ...definition, environment }, folder, ...others };
    functions.set(definition.logicalId, new LambdaFunction(props));
  }
}

/** Lets queues and schedules call their functions. Returns a function that ends it. */
function startTriggers(
  template: Synthesized['template'],
  functions: ReadonlyMap<string, LambdaFunction>,
  sqs: SQSClient,
): () => Promise<unknown> {
  const stopped = new AbortController();
  const polls = template.eventSources().map(async (source) => {
    const lambdaFunction = functions.get(source.functionLogicalId);
    if (lambdaFunction) await pollEventSource(source, lambdaFunction, sqs, stopped.signal);
  });
  const schedules = template.schedules().map(({ functionLogicalId, periodMs }) => {
    // The log tells why a call fails. The next one may succeed.
    const call = () =>
      void functions
        .get(functionLogicalId)
        ?.invoke({})
        .catch(() => {});
    call();
    return setInterval(call, periodMs);
  });
  return () => {
    stopped.abort();
    schedules.forEach(clearInterval);
    return Promise.all(polls);
  };
}

/** Returns the variables of a function that calls the API, with the URL that it has here. */
function withApiUrl(
  variables: Readonly<Record<string, string>>,
  url: string,
  localUrl: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, value.replace(url, localUrl)]),
  );
}
