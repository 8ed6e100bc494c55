import { ClientId, isBlank, MAX_ITEM_LEVELS, nestsDeeper } from 'customer-data-api/configuration';
import {
  author,
  type ConfigurationTables,
  configurationTables,
  type Deployment,
  sqsClient,
} from 'customer-data-api-deployment';
import { UsageError } from 'customer-data-api-deployment/program';
import { type PromoEventsTableToList, SqsQueue } from 'customer-data-api-on-call';
import type { Context } from 'hono';
import * as v from 'valibot';
import { FoundClients } from './found-clients.ts';

/** The context of the handlers of the API, beside the request: its caller. */
export interface Env {
  readonly Bindings: Caller;
}

/** A call of a path of the API. */
export type Call = Context<Env>;

/** Answers with the JSON of what a handler returns, unless that is a response. */
export function json(handler: (call: Call) => Promise<object>) {
  return async (call: Call): Promise<Response> => {
    const answer = await handler(call);
    if (answer instanceof Response) return answer;
    return call.body(JSON.stringify(answer), 200, { 'Content-Type': 'application/json' });
  };
}

/** The reason of a change, for the history. */
export const Message = v.pipe(
  v.string(),
  v.trim(),
  v.check((text) => !isBlank(text), 'must not be blank'),
  v.check((text) => text.isWellFormed(), 'has half of a character'),
);

/** Reads the client id of the path. Throws UsageError. */
export function clientIdOf(call: Call): string {
  return parsed(ClientId, call.req.param('client'), 'The path');
}

/** Reads `If-Match`: the digest of what the operator has seen. Throws UsageError. */
export function readBase(call: Call): string {
  const [, base] = /^"([0-9a-f]{64})"$/.exec(call.req.header('If-Match') ?? '') ?? [];
  if (base !== undefined) return base;
  throw new UsageError('If-Match must have the digest of the configuration, in quotes.');
}

/** Reads the parameters of the query. Throws UsageError. */
export function readQuery<T>(call: Call, schema: v.GenericSchema<unknown, T>): T {
  return parsed(schema, call.req.query(), 'The query');
}

/** A body has the fields of a configuration in this many maps. */
const LEVELS_AROUND_FIELDS = 2;

/** Reads the JSON of a request. Throws UsageError. */
export async function readBody<T>(call: Call, schema: v.GenericSchema<unknown, T>): Promise<T> {
  const body: unknown = await call.req.json().catch(() => undefined);
  if (nestsDeeper(body, MAX_ITEM_LEVELS + LEVELS_AROUND_FIELDS)) {
    throw new UsageError(
      `The body has lists and maps in more than ${MAX_ITEM_LEVELS} levels, which DynamoDB does not store.`,
    );
  }
  return parsed(schema, body, 'The body');
}

/** The texts that operators enter, by how the page names them: each rule has its own words. */
const ENTERED: Readonly<Record<string, string>> = {
  clientId: 'The client id',
  label: 'The name',
  device: 'The device',
  user: 'The user id',
  code: 'The promo code',
  message: 'The reason',
};

function parsed<T>(schema: v.GenericSchema<unknown, T>, value: unknown, name: string): T {
  const { success, output, issues } = v.safeParse(schema, value);
  if (success) return output;
  const [{ kind, message }] = issues;
  const place = v.getDotPath(issues[0]);
  const entered = ENTERED[place ?? ''];
  if (entered !== undefined && kind === 'validation')
    throw new UsageError(`${entered} ${message}.`);
  throw new UsageError(`${name} is malformed${place === null ? '' : ` at ${place}`}.`);
}

/** The caller of the API, with what they can reach: a deployment, with their credentials. */
export interface Caller {
  readonly deployment: Deployment;
  readonly tables: ConfigurationTables;
  readonly promoEvents: PromoEventsTableToList;
  readonly queue: SqsQueue;
  readonly deadLetters: SqsQueue;
  /** Knows what is wrong with the clients. */
  readonly found: FoundClients;
  /** Names the author of a change. */
  readonly author: () => Promise<string>;
}

/** The caller on an operator's machine: their credentials are those of the process. */
export function operatorOf(deployment: Deployment): Caller & Disposable {
  const { outputs } = deployment;
  const tables = configurationTables(outputs);
  const { dynamodb } = tables;
  const sqs = sqsClient(outputs);
  return {
    deployment,
    tables,
    promoEvents: { dynamodb, tableName: outputs.PromoEventsTableName },
    queue: new SqsQueue(sqs, outputs.PromoEventsQueueUrl),
    deadLetters: new SqsQueue(sqs, outputs.PromoEventsDeadLetterQueueUrl),
    found: new FoundClients(tables, deployment),
    author: () => author(deployment),
    [Symbol.dispose]: () => {
      tables[Symbol.dispose]();
      sqs[Symbol.dispose]();
    },
  };
}
