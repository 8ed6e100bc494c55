import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type RawItem, readClient, readItem } from 'customer-data-api/clients';
import { checkPublication, readLastFieldId } from 'customer-data-api/configuration';
import {
  contentDigest,
  contentOf,
  listVersions,
  recordChange,
  type StoredContent,
  writtenConfiguration,
} from 'customer-data-api/history';
import { RULES } from 'customer-data-api/testing/access-rules';
import { runs } from 'customer-data-api/testing/runs';
import { startTables } from 'customer-data-api/testing/tables';
import { deploymentOf } from 'customer-data-api-deployment';
import type { Outputs } from 'customer-data-api-deployment/outputs';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Draft, Plan } from '../../../configurations/plan-draft.ts';
import { publication, StoppedPublication } from '../../../configurations/publication.ts';
import { reviewPlan } from '../../../configurations/review-plan.ts';
import type { NewRollout } from '../../../configurations/rollouts.ts';
import { isError } from '../../../errors.ts';

/*
 * Three operators pull, plan and publish, for all devices or for some, and somebody edits the item
 * by hand, in any order. What an operator has not seen is never overwritten, a conflict names what
 * happened, no id gets a second meaning, and the history has everything that was ever live.
 */

/** A run takes about 70 ms of CPU time. */
const RUNS = runs(500);

const database = await startTables();
const tables = database.configurations;
/** Versions are recorded when a test says so: none is awaited. */
const context = {
  tables,
  deployment: deploymentOf({ stackName: 'test', outputs: { UserPoolClientId: 'app' } as Outputs }),
  signal: AbortSignal.abort(),
};
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
 * looks free. It may remove a rollout, or break it.
 */
interface EditByHand {
  readonly edit: Edit;
  readonly lastFieldId: number;
  readonly rollout: 'kept' | 'removed' | 'broken';
}

const editByHand: fc.Arbitrary<EditByHand> = fc.record({
  edit: fc.oneof(
    edit,
    fc.constant<Edit>((fields) => fields.slice(0, -1)),
    fc.constant<Edit>((fields) => fields),
  ),
  lastFieldId: fc.constantFrom(0, 3, 7),
  rollout: fc.constantFrom('kept', 'kept', 'removed', 'broken'),
});

/**
 * The aim of an operator: a draft, for all devices or for some, also in the place of a rollout. Or
 * a change of a rollout.
 */
type Aim = 'live' | 'start' | 'preview' | 'replace' | 'finish' | 'widen' | 'stop';

const PUBLICATION = ['pull', 'plan', 'publish'] as const;

/** The steps of a run: each operator publishes, and somebody edits the item by hand. */
type Step = (typeof PUBLICATION)[number] | EditByHand;

const operator = (...aims: Aim[]) =>
  fc.record({ edit, merges: fc.boolean(), aim: fc.constantFrom(...aims) });

const TURNS = [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3];

/** The steps of all, in an order that keeps that of each. */
const run = fc
  .record({
    hasFields: fc.boolean(),
    starter: fc.constantFrom<Aim | undefined>('start', 'preview', undefined),
    operators: fc.tuple(
      operator('live', 'start', 'preview'),
      operator('live', 'replace', 'preview', 'finish', 'finish'),
      operator('widen', 'widen', 'stop'),
    ),
    byHand: fc.array(editByHand, { minLength: 1, maxLength: 2 }),
    turns: fc.shuffledSubarray(TURNS, { minLength: TURNS.length }),
  })
  .map(({ byHand, turns, ...others }) => {
    const steps: Step[][] = [...others.operators.map(() => [...PUBLICATION]), [...byHand]];
    return {
      ...others,
      order: turns.flatMap((actor) => {
        const step = steps[actor]?.shift();
        return step ? [{ actor, step }] : [];
      }),
    };
  });

/** A client, whose stream is recorded at once. */
class Client {
  readonly clientId = randomUUID();
  /** The fields of each content that was live, by its digest. */
  readonly live = new Map<string, readonly Field[]>();
  /** The ids of all fields that were live, or in a candidate. */
  readonly ids = new Set<string | undefined>();
  item: RawItem = {};
  #records = 0;

  get digest(): string {
    return contentDigest(this.item);
  }

  get fields(): readonly Field[] {
    return fieldsIn(this.item);
  }

  get rollout() {
    return readClient(this.item).rollout;
  }

  get candidate(): StoredContent {
    return contentOf(this.item.rollout?.M ?? {});
  }

  get lastFieldId(): number {
    return readLastFieldId(readItem(this.item)) ?? 0;
  }

  /** Stores the client, with three fields or without the attributes of a configuration. */
  async create(hasFields: boolean): Promise<void> {
    const fields = [{ id: '1' }, { id: '2' }, { id: '3' }];
    await this.#put(hasFields ? { fields, lastFieldId: 3 } : {});
  }

  /** Edits the item without a command. */
  async editByHand({ edit, lastFieldId, rollout }: EditByHand): Promise<void> {
    const fields = edit(this.fields).map((field, index) => ({ id: `hand ${index}`, ...field }));
    const stored = rollout === 'removed' ? undefined : readItem(this.item).rollout;
    const broken = rollout === 'broken' && { percent: 'all' };
    await this.#put({
      fields,
      lastFieldId,
      ...(stored !== undefined && { rollout: { ...Object(stored), ...broken } }),
    });
  }

  async #put(item: object): Promise<void> {
    await database.clients.put(this.clientId, { appIds: ['key'], ...item });
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
    await recordChange(tables, { ...own, at: '2026-11-22T00:00:00Z', ...images }, { rules: RULES });
    this.item = Item;
    this.live.set(this.digest, this.fields);
    for (const { id } of [...this.fields, ...fieldsIn(this.candidate)]) this.ids.add(id);
  }
}

function fieldsIn(content: StoredContent): readonly Field[] {
  return (writtenConfiguration(content).fields ?? []) as readonly Field[];
}

/** The configuration that an operator pulled, and the draft that they made of it. */
interface Pulled {
  readonly base: string;
  readonly original: readonly Field[];
  readonly fields: readonly Field[];
}

interface Operator {
  readonly edit: Edit;
  readonly merges: boolean;
  readonly aim: Aim;
  pulled?: Pulled;
  plan?: Plan | undefined;
  /** Answers the question of the publication, which waits for it. */
  confirm?: () => Promise<unknown>;
}

/** Starts a publication, which waits for its confirmation. */
async function plan(clientId: string, operator: Operator, pulled: Pulled): Promise<void> {
  const { merges, aim } = operator;
  const aims: Record<Aim, Draft> = {
    live: { clientId, ...pulled, merges },
    start: { clientId, ...pulled, merges, starts: SHARE },
    preview: { clientId, ...pulled, merges, starts: { ...SHARE, percent: 0 } },
    replace: { clientId, ...pulled, merges, ends: 'stop' },
    finish: { clientId, merges, rollout: 'finish' },
    widen: { clientId, merges, rollout: WIDER },
    stop: { clientId, rollout: 'stop' },
  };
  const { show, apply } = publication(
    () => aims[aim],
    (planned) => ({ hasEffect: reviewPlan(planned).hasEffect, effects: [] }),
    {},
  );
  const shown = await show(context);
  // What is live already is not published.
  operator.plan = shown.hasEffect ? shown.plan : undefined;
  operator.confirm = () => apply(context, shown, 'an operator');
}

const SHARE: NewRollout = { percent: 10, devices: ['named'] };
const WIDER = 60;
/** The share of a rollout after a publication. */
const PERCENT: Partial<Record<Aim, number>> = { start: SHARE.percent, preview: 0, widen: WIDER };

const withCar: Edit = (fields) => [...fields, { fieldName: 'Car' }];

const counts = { published: 0, refused: 0, ids: 0, changed: 0 };

async function take(step: string, client: Client, operator?: Operator): Promise<void> {
  if (!operator) return;
  const { digest, fields: before, clientId } = client;
  const { pulled, plan: planned, aim } = operator;
  try {
    if (step === 'pull') {
      operator.pulled = { base: digest, original: before, fields: operator.edit(before) };
    } else if (step === 'plan' && pulled) {
      const { base = '' } = client.rollout ?? {};
      const [original = [], fields] = [client.live.get(base), fieldsIn(client.candidate)];
      if (aim === 'finish' || aim === 'widen') operator.pulled = { base, original, fields };
      await plan(clientId, operator, pulled);
    } else if (pulled && planned) {
      await publishPlan(client, operator, pulled, planned);
    }
  } catch (error) {
    const cause = error instanceof StoppedPublication ? error.cause : error;
    const { code } = Object(cause);
    const { rollout } = client.item;
    if (code === 'rolloutRunning') expect(client.rollout?.percent).toBeGreaterThan(0);
    else if (code === 'damagedRollout') {
      expect([rollout, client.rollout]).toEqual([expect.anything(), undefined]);
    } else if (code === 'conflict') {
      // A damaged rollout is stopped as it was read.
      const { before } = planned ?? {};
      expect(before?.rollout).toBeUndefined();
      expect(rollout).not.toEqual(before?.raw.rollout);
    } else if (code === 'noRollout' && step === 'plan') expect(client.rollout).toBeUndefined();
    else if (code === 'noRollout')
      expect(idOf(rollout)).not.toBe(idOf(planned?.before.raw.rollout));
    else if (isError(cause, 'configurationConflict') && 'since' in cause.facts.reason) {
      counts.refused += 1;
      const { base, versions } = cause.facts.reason.since;
      expect(base.digest).toBe(
        step === 'plan' ? operator.pulled?.base : planned?.before.live.digest,
      );
      expect((versions[0] ?? base).digest).toBe(digest);
    } else if (isError(cause, 'configurationConflict') && cause.facts.reason.kind === 'wasLive') {
      counts.refused += 1;
      const { digest: earlier } = cause.facts.reason.version;
      expect(earlier).not.toBe(digest);
      expect(client.live.get(earlier)).toMatchObject(operator.pulled?.fields ?? []);
    } else throw error;
    // Nothing was written.
    const { item } = client;
    await client.record();
    expect(client.item).toEqual(item);
  }
}

/** Confirms a publication. What it did is what its operator saw. */
async function publishPlan(
  client: Client,
  { aim, confirm }: Operator,
  pulled: Pulled,
  planned: Plan,
): Promise<void> {
  const { fields: before, lastFieldId, item, clientId } = client;
  const known = new Set(client.ids);
  await confirm?.();
  await client.record();
  counts.published += 1;
  const { rollout } = planned.before.raw;
  // A stop is of one rollout, whatever its share is by now.
  if (aim === 'stop') expect(idOf(item.rollout)).toBe(idOf(rollout));
  else expect(item.rollout).toEqual(rollout);
  // A publication leaves a preview as it is.
  if (aim === 'live') expect(client.item.rollout).toEqual(rollout);
  else expect(client.rollout?.percent).toBe(PERCENT[aim]);
  expect(client.lastFieldId).toBeGreaterThanOrEqual(lastFieldId);
  const isLive = aim === 'live' || aim === 'replace' || aim === 'finish';
  if (!isLive) expect(client.fields).toEqual(before);
  if (aim === 'widen' || aim === 'stop') counts.changed += 1;
  if (aim === 'stop') return;
  const content = isLive ? client.item : client.candidate;
  const after = fieldsIn(content);
  if (!planned.mergedWith) expect(before).toEqual(pulled.original);
  expectNothingLost(before, after, pulled);
  const given = after.filter(
    ({ id }) => ![...before, ...pulled.fields].some((field) => field.id === id),
  );
  expect(given.filter(({ id }) => known.has(id))).toEqual([]);
  counts.ids += given.length;
  // What the operator was told is about what was written.
  expect(reviewPlan(planned).findings).toEqual(
    checkPublication({ clientId, ...writtenConfiguration(content) }),
  );
}

function idOf(rollout: AttributeValue | undefined): string | undefined {
  return rollout?.M?.id?.S;
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
    fc.asyncProperty(run, async ({ hasFields, starter, operators, order }) => {
      const client = new Client();
      await client.create(hasFields);
      const first = starter && { edit: withCar, merges: false, aim: starter };
      for (const step of PUBLICATION) await take(step, client, first);
      const people: Operator[] = operators.map((one) => ({ ...one }));
      for (const { actor, step } of order) {
        if (typeof step === 'string') await take(step, client, people[actor]);
        else await client.editByHand(step);
      }

      const recorded = new Set<string>();
      for await (const { digest } of listVersions(tables, client.clientId)) recorded.add(digest);
      expect(recorded).toEqual(new Set(client.live.keys()));
    }),
    { numRuns: RUNS },
  );
  // All of it happens, so the property says something.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(RUNS / 25);
}, 600_000);
