import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { checkPublication } from 'customer-data-api/configuration';
import { contentDigest, listVersions, type RawItem, recordChange } from 'customer-data-api/history';
import { startTables } from 'customer-data-api/testing/tables';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Plan } from '../../../configurations/plan-change.ts';
import { publish, StoppedPublication } from '../../../configurations/publish.ts';
import { reviewChange } from '../../../configurations/review-change.ts';
import { writtenConfiguration } from '../../../configurations/stored-configuration.ts';
import { ConfigurationConflict } from '../../../errors.ts';

/*
 * Two operators pull, plan and publish, and somebody edits the item by hand, in any order. What an
 * operator has not seen is never overwritten, a conflict names what happened, no id gets a second
 * meaning, and the history has everything that was ever live.
 */

/** A run takes about 40 ms of CPU time. `npm run test:edits` makes a thousand. */
const RUNS = Number(process.env.CONFIGURATION_RUNS ?? 50);

const database = await startTables();
const tables = database.configurations;
afterAll(() => database.stop());

type Field = { readonly id?: string; readonly fieldName?: string };

/** A change of a list of fields, by an operator or by hand. */
type Edit = (fields: readonly Field[]) => readonly Field[];

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(fc.nat(3), fc.constantFrom('A', 'B', 'C')).map(([index, fieldName]): Edit => {
    return (fields) => fields.map((field, at) => (at === index ? { ...field, fieldName } : field));
  }),
  fc.tuple(fc.nat(3), fc.constantFrom('A', 'B')).map(([index, fieldName]): Edit => {
    const translations = { de: { fieldName } };
    return (fields) =>
      fields.map((field, at) => (at === index ? { ...field, translations } : field));
  }),
  fc.nat(3).map(
    (index): Edit =>
      (fields) =>
        fields.filter((_, at) => at !== index),
  ),
  fc.constant<Edit>((fields) => [...fields, { fieldName: 'New' }]),
  fc.constant<Edit>((fields) => fields.toReversed()),
);

/**
 * A manual edit of the item, which may also lower `lastFieldId`: with the last field gone, its id
 * looks free.
 */
interface EditByHand {
  readonly edit: Edit;
  readonly lastFieldId: number;
}

const editByHand: fc.Arbitrary<EditByHand> = fc.record({
  edit: fc.oneof(
    edit,
    fc.constant<Edit>((fields) => fields.slice(0, -1)),
  ),
  lastFieldId: fc.constantFrom(0, 3),
});

/**
 * What happens in a run: each operator pulls, plans and publishes, and somebody edits the item by
 * hand.
 */
type Step = 'pull' | 'plan' | 'publish' | EditByHand;

/** The steps of all, in an order that keeps that of each. */
const run = fc
  .tuple(
    fc.record({ edit, merges: fc.boolean() }),
    fc.record({ edit, merges: fc.boolean() }),
    fc.array(editByHand, { minLength: 1, maxLength: 2 }),
    fc.shuffledSubarray([0, 0, 0, 1, 1, 1, 2, 2], { minLength: 8 }),
    fc.boolean(),
  )
  .map(([one, other, byHand, turns, hasFields]) => {
    const steps: Step[][] = [['pull', 'plan', 'publish'], ['pull', 'plan', 'publish'], [...byHand]];
    return {
      hasFields,
      operators: [one, other],
      order: turns.flatMap((actor) => {
        const step = steps[actor]?.shift();
        return step ? [{ actor, step }] : [];
      }),
    };
  });

/** A client, whose stream is recorded at once. */
class Client {
  readonly clientId = randomUUID();
  /** The digest of each content that was live. */
  readonly live = new Set<string>();
  /** The ids of all fields that were live. */
  readonly ids = new Set<string | undefined>();
  item: RawItem = {};
  #records = 0;

  get digest(): string {
    return contentDigest(this.item);
  }

  get fields(): readonly Field[] {
    return (writtenConfiguration(this.item).fields ?? []) as readonly Field[];
  }

  /** Stores the client, with three fields or without the attributes of a configuration. */
  async create(hasFields: boolean): Promise<void> {
    if (hasFields) return this.put([{ id: '1' }, { id: '2' }, { id: '3' }], 3);
    await database.clients.put(this.clientId, { appIds: ['key'] });
    await this.record();
  }

  /** Stores fields as a manual edit does, without a command. */
  async put(fields: readonly Field[], lastFieldId: number): Promise<void> {
    const own = fields.map((field, index) => ({ id: `hand ${index}`, ...field }));
    await database.clients.put(this.clientId, { appIds: ['key'], lastFieldId, fields: own });
    await this.record();
  }

  /** Records the change that was just made. */
  async record(): Promise<void> {
    const { Item = {} } = await tables.dynamodb.send(
      new GetItemCommand({
        TableName: tables.configsTableName,
        Key: marshall({ clientId: this.clientId }),
        ConsistentRead: true,
      }),
    );
    this.#records += 1;
    const position = { stream: 'stream', sequenceNumber: String(this.#records) };
    const images = { before: this.live.size > 0 ? this.item : undefined, after: Item };
    const own = { clientId: this.clientId, eventId: `event ${this.#records}`, position };
    const options = { requiresUserPoolClientIds: false };
    await recordChange(tables, { ...own, at: '2026-11-22T00:00:00Z', ...images }, options);
    this.item = Item;
    this.live.add(this.digest);
    for (const { id } of this.fields) this.ids.add(id);
  }
}

/** What an operator pulled and made of it. */
interface Pulled {
  readonly base: string;
  readonly original: readonly Field[];
  readonly fields: readonly Field[];
}

interface Operator {
  readonly edit: Edit;
  readonly merges: boolean;
  pulled?: Pulled;
  plan?: Plan;
  /** Answers the question of the publication, which waits for it. */
  confirm?: () => Promise<unknown>;
}

/** Starts a publication that asks for its change, and waits for the answer. */
async function plan(clientId: string, operator: Operator, pulled: Pulled): Promise<void> {
  const [asked, approval] = [Promise.withResolvers<void>(), Promise.withResolvers<typeof BY>()];
  const { merges } = operator;
  const publication = publish(
    tables,
    { clientId, ...pulled, merges },
    {
      review: (planned) => {
        operator.plan = planned;
        return { hasEffect: true };
      },
      approve: () => {
        asked.resolve();
        return approval.promise;
      },
      wait: async () => undefined,
    },
  );
  operator.confirm = () => {
    approval.resolve(BY);
    return publication;
  };
  await Promise.race([asked.promise, publication]);
}

const BY = { by: 'an operator', message: '' };

const counts = { published: 0, refused: 0, ids: 0 };

async function take(step: Step, client: Client, operator: Operator | undefined): Promise<void> {
  const { digest, fields: before, clientId } = client;
  const known = new Set(client.ids);
  if (typeof step === 'object') return client.put(step.edit(before), step.lastFieldId);
  if (!operator) return;
  const { pulled, plan: planned, merges } = operator;
  try {
    if (step === 'pull') {
      operator.pulled = { base: digest, original: before, fields: operator.edit(before) };
    } else if (step === 'plan' && pulled) {
      await plan(clientId, operator, pulled);
    } else if (pulled && planned) {
      await operator.confirm?.();
      await client.record();
      counts.published += 1;
      if (!merges) expect(before).toEqual(pulled.original);
      expectNothingLost(before, client.fields, pulled);
      const given = client.fields.filter(
        ({ id }) => ![...before, ...pulled.fields].some((field) => field.id === id),
      );
      expect(given.filter(({ id }) => known.has(id))).toEqual([]);
      counts.ids += given.length;
      // What the operator was told is about what was written.
      expect(reviewChange(planned).findings).toEqual(
        checkPublication({ clientId, ...writtenConfiguration(client.item) }),
      );
    }
  } catch (error) {
    const { cause } = error instanceof StoppedPublication ? error : {};
    if (!(cause instanceof ConfigurationConflict && 'since' in cause.reason)) throw error;
    counts.refused += 1;
    const { base, versions } = cause.reason.since;
    expect(base.digest).toBe(step === 'plan' ? pulled?.base : planned?.before.digest);
    expect(versions[0]?.digest).toBe(digest);
    // Nothing was written.
    await client.record();
    expect(client.digest).toBe(digest);
  }
}

/** Merges a field of an operator with the live one. Each attribute is from whoever changed it. */
function merged(was?: Field, own?: Field, live?: Field): Field | undefined {
  const isChanged = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  if (!was || !own || !live) return isChanged(was, own) ? own : live;
  const names = Object.keys({ ...own, ...live }) as (keyof Field)[];
  return Object.fromEntries(
    names.map((name) => [name, (isChanged(was[name], own[name]) ? own : live)[name]]),
  );
}

/** Each field has what the operator made of it, and otherwise what it had right before. */
function expectNothingLost(
  before: readonly Field[],
  after: readonly Field[],
  { original, fields }: Pulled,
): void {
  const named = (list: readonly Field[], id: string | undefined) =>
    list.find((field) => field.id === id);
  const ids = [...original, ...fields, ...before].flatMap(({ id }) => id ?? []);
  for (const id of new Set(ids)) {
    const [was, own] = [named(original, id), named(fields, id)];
    expect(named(after, id)).toEqual(merged(was, own, named(before, id)));
  }
  const added = fields.filter(({ id }) => id === undefined);
  // A new field that somebody else has added with the same content is the same field.
  const known = before.filter(
    ({ id, ...content }) =>
      !named(original, id) && added.some((own) => isDeepStrictEqual(own, content)),
  );
  expect(after.filter(({ id }) => !ids.includes(id ?? ''))).toHaveLength(
    Math.max(0, added.length - known.length),
  );
}

test('an edit is never overwritten unseen, and the history has all that was live', async () => {
  await fc.assert(
    fc.asyncProperty(run, async ({ hasFields, operators, order }) => {
      const client = new Client();
      const people: Operator[] = operators.map((one) => ({ ...one }));
      await client.create(hasFields);
      for (const { actor, step } of order) await take(step, client, people[actor]);

      const recorded = new Set<string>();
      for await (const { digest } of listVersions(tables, client.clientId)) recorded.add(digest);
      expect(recorded).toEqual(client.live);
    }),
    { numRuns: RUNS },
  );
  // Both happen, so the property says something.
  expect(counts.published).toBeGreaterThan(RUNS / 10);
  expect(counts.refused).toBeGreaterThan(RUNS / 10);
  expect(counts.ids).toBeGreaterThan(RUNS / 10);
}, 600_000);
