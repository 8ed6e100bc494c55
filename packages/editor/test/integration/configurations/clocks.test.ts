import { randomUUID } from 'node:crypto';
import {
  DeleteItemCommand,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { RawItem } from 'customer-data-api/clients';
import { newestVersion, recordChange } from 'customer-data-api/history';
import { RULES } from 'customer-data-api/testing/access-rules';
import { startTables } from 'customer-data-api/testing/tables';
import { deploymentOf } from 'customer-data-api-deployment';
import type { Change, Done, Shown } from 'customer-data-api-deployment/change';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { appIdAddition } from '../../../clients/app-ids.ts';
import { clientCreation, clientRemoval } from '../../../clients/client-changes.ts';
import { publication } from '../../../configurations/publication.ts';

/*
 * Operators whose clocks differ change one client, and each change is that of its author. A clock
 * that is wrong by more than 15 minutes makes manual edits of the changes of its operator, and of
 * nobody else's.
 */

const database = await startTables();
const { configurations } = database;
const { dynamodb } = configurations;
const deployment = deploymentOf({
  stackName: 'test',
  outputs: {
    UserPoolClientId: 'ios',
    PromoEventsTableName: database.promoEventsTableName,
  } as Outputs,
});
afterAll(() => database.stop());
afterEach(() => {
  vi.useRealTimers();
});

/** Changes that tools make of a client. All others are written as the second and the third one. */
type Kind = 'creation' | 'publication' | 'App-Id' | 'removal';

/** A client whose stream is recorded at once, by a clock that is right. */
class Client {
  readonly clientId = randomUUID();
  now = Date.parse('2026-11-22T00:00:00Z');
  #item: RawItem | undefined;
  #records = 0;
  #lastFieldId = 0;

  /** Makes a change by a clock that differs from AWS's. Returns the author of its version. */
  async change(kind: Kind, by: string, offSeconds = 0): Promise<string | undefined> {
    vi.useFakeTimers({ toFake: ['Date'], now: this.now + offSeconds * 1000 });
    await this.#make(kind, by);
    vi.useRealTimers();
    this.now += 7300;
    const newest = await newestVersion(configurations, this.clientId);
    return newest?.by ?? newest?.source;
  }

  async #make(kind: Kind, by: string): Promise<void> {
    const { clientId } = this;
    switch (kind) {
      case 'creation':
        return this.#run(clientCreation(clientId, {}), by);
      case 'publication': {
        const draft = { clientId, fields: [], lastFieldId: ++this.#lastFieldId };
        const review = () => ({ hasEffect: true, effects: [] });
        return this.#run(
          publication(() => draft, review, {}),
          by,
        );
      }
      case 'App-Id':
        return this.#run(appIdAddition(clientId, {}), by);
      case 'removal':
        return this.#run(clientRemoval(clientId), by);
    }
  }

  async #run<TShown extends Shown, TDone extends Done>(
    { show, apply }: Change<TShown, TDone, Client['context']>,
    by: string,
  ): Promise<void> {
    await apply(this.context, await show(this.context), by);
  }

  /** Versions are recorded after each write: none is awaited. */
  readonly context = {
    deployment,
    tables: { ...configurations, dynamodb: this.#recorded() },
    signal: AbortSignal.abort(),
  };

  #recorded(): DynamoDBClient {
    const send = async (...args: Parameters<DynamoDBClient['send']>) => {
      const result = await dynamodb.send(...args);
      const [command] = args;
      if (command instanceof UpdateItemCommand || command instanceof DeleteItemCommand) {
        await this.record();
      }
      return result;
    };
    return Object.assign(Object.create(dynamodb), { send });
  }

  /** Records the change that was just made. */
  async record(): Promise<void> {
    const { clientId } = this;
    const item = await database.clients.read(clientId);
    const after = item && marshall(item);
    const number = String(++this.#records);
    const change = {
      clientId,
      eventId: `event ${number}`,
      position: { stream: 'stream', sequenceNumber: number },
      // DynamoDB says the second.
      at: new Date(this.now - (this.now % 1000)).toISOString(),
      before: this.#item,
      after,
    };
    await recordChange(configurations, change, { rules: RULES });
    this.#item = after;
  }

  /** Changes the date of the last change by hand. */
  async date(at: string): Promise<void> {
    const { clientId } = this;
    const { lastChange, ...item } = (await database.clients.read(clientId)) ?? {};
    await database.clients.put(clientId, { ...item, lastChange: { ...Object(lastChange), at } });
    await this.record();
  }
}

const KINDS: readonly Kind[] = ['publication', 'App-Id', 'removal', 'creation'];

test.each([
  [30, 0],
  [840, 0],
  [840, -60],
  [-840, 60],
])(
  'a change is its author’s after one by a clock that is %i seconds fast, by one that is %i',
  async (seconds, other) => {
    const client = new Client();
    expect(await client.change('creation', 'ann', seconds)).toBe('ann');
    for (const kind of KINDS) {
      expect([kind, await client.change(kind, 'bob', other)]).toEqual([kind, 'bob']);
      if (kind === 'removal') continue;
      expect([kind, await client.change('App-Id', 'ann', seconds)]).toEqual([kind, 'ann']);
    }
  },
);

test.each<[what: string, spoil: (client: Client) => Promise<unknown>]>([
  ['a change by a clock that is an hour fast', (one) => one.change('publication', 'ann', 3600)],
  ['a change by a clock that is an hour slow', (one) => one.change('publication', 'ann', -3600)],
  ['a date of 2099 that was written by hand', (one) => one.date('2099-01-01T00:00:00.000Z')],
  ['a date that cannot be read', (one) => one.date('tomorrow')],
])('after %s, the next changes are their authors’', async (_, spoil) => {
  const client = new Client();
  await client.change('creation', 'bob');
  await spoil(client);
  const end = client.now + 80 * 60_000;
  // Until the clock that was fast is no longer ahead, and past that.
  for (let at = 0; client.now < end; at++) {
    client.now += 210_000;
    const kind = KINDS[at % KINDS.length] ?? 'publication';
    const [by, seconds] = at % 2 === 0 ? ['bob', 0] : ['eve', 90];
    expect([kind, await client.change(kind, by, seconds)]).toEqual([kind, by]);
  }
});
