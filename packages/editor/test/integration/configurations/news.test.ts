import { marshall } from '@aws-sdk/util-dynamodb';
import { fingerprintOf, type RawItem } from 'customer-data-api/clients';
import { completeField } from 'customer-data-api/configuration';
import { configurationChanged, recordChange } from 'customer-data-api/history';
import { effectSentence, plainText } from 'customer-data-api/sentences';
import { RULES } from 'customer-data-api/testing/access-rules';
import { clientAttributes } from 'customer-data-api/testing/attribute-values';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { startTables } from 'customer-data-api/testing/tables';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { effectsOfVersion } from '../../../configurations/recent-changes.ts';

/* What the news of a version says, next to what the commands say about the same change. */

const tables = await startTables();
const table = tables.configurations;
afterAll(() => tables.stop());

const AT = Date.parse('2026-11-21T10:00:00.000Z');
const [DROP, TEXT, COMBO] = parse(PIZZA).fields;

const KEY = fingerprintOf('key-b');

let clients = 0;

// biome-ignore lint/suspicious/noExplicitAny: the parts of a detail that a test names
type Detail = any;

/** Records what an item was, one after the other. Returns the details of the news of the last. */
async function newsOf(...images: readonly (RawItem | undefined)[]): Promise<Detail> {
  const clientId = `client-${++clients}`;
  let detail: Detail;
  for (const [index, image] of images.entries()) {
    const recorded = await recordChange(
      table,
      {
        clientId,
        eventId: `event-${index}`,
        position: { stream: 'stream', sequenceNumber: String(index + 100) },
        at: new Date(AT + index * 1000).toISOString(),
        before: images[index - 1],
        after: image,
      },
      { rules: RULES },
    );
    detail = recorded && configurationChanged(recorded).detail;
  }
  return detail;
}

/**
 * The output of `config diff` and `config history` about a version, if DynamoDB stored its content.
 */
async function saidOf({ clientId, configurationVersion }: Detail) {
  const effects = await effectsOfVersion(table, clientId, configurationVersion);
  return 'effects' in effects
    ? effects.effects.map((one) => plainText(effectSentence(one)))
    : undefined;
}

/** Sentences without harm and access, which are also those of a client beside its configuration. */
const ofFields = (all: readonly string[], { harm = [] }: Detail) =>
  all.filter((one) => !harm.includes(one) && !/^App(-Id| clients?:?) /.test(one));

const client = (item: object) =>
  marshall({ appIds: ['key'], lastFieldId: 3, ...item }, { removeUndefinedValues: true });

const { subFieldB: _, ...WRITTEN } = TEXT;
const exact = (digits: string) => ({ ...client({ fields: [TEXT] }), lastFieldId: { N: digits } });

test.each<[what: string, before: RawItem, after: RawItem, effects: number]>([
  [
    'what the service derives is stored no more',
    client({ fields: [completeField(WRITTEN)] }),
    client({ fields: [WRITTEN] }),
    0,
  ],
  [
    'a number that JavaScript rounds',
    exact('12345678901234567890'),
    exact('12345678901234567891'),
    1,
  ],
  [
    'a list instead of a set',
    client({ fields: [{ ...TEXT, appUIs: new Set(['profile']) }] }),
    client({ fields: [{ ...TEXT, appUIs: ['profile'] }] }),
    0,
  ],
])('the news has the sentences of `config diff`: %s', async (_what, before, after, effects) => {
  const detail = await newsOf(before, after);
  const said = (await saidOf(detail)) ?? [];
  expect(said).toHaveLength(effects);
  expect(ofFields(detail.effects, detail)).toEqual(ofFields(said, detail));
});

test('whatever an item was and is, the news has the sentences of `config diff`, and is bounded', async () => {
  await fc.assert(
    fc.asyncProperty(clientAttributes, clientAttributes, async (...images) => {
      // DynamoDB writes such a number in another form, and the AWS SDK loses such an attribute.
      fc.pre(!/"-?[\d.]+E[+-]\d+"|__proto__/.test(JSON.stringify(images)));
      // During a rollout, what other customers had is no loss.
      const items = images.map(({ rollout: _rollout, ...item }) => item as RawItem);
      const detail = await newsOf(...items).catch(() => undefined);
      if (!detail) return;
      const said = (await saidOf(detail)) ?? detail.effects;
      expect(ofFields(detail.effects, detail)).toEqual(ofFields(said, detail));
      expect(JSON.stringify(detail).length).toBeLessThan(100_000);
    }),
    { numRuns: 100 },
  );
});

test('of many effects, the news has the first ones, harm before all, and how many more', async () => {
  const fields = Array.from({ length: 200 }, (_field, at) => ({ ...TEXT, id: `${at}` }));
  const detail = await newsOf(client({ fields }), client({ fields: [] }));
  expect(detail.effects.length).toBeLessThan(30);
  expect(detail.effects[0]).toBe(detail.harm?.[0]);
  expect(detail.effects.join()).toMatch(/\b195 more\b/);
  expect(detail.chat.text.length).toBeLessThan(10_000);
});

const rollout = (percent: number, more: object = {}) => ({
  rollout: { id: 'one', percent, fields: [DROP, TEXT], ...more },
});

test.each<[what: string, change: string | undefined, before: object, after: object, more?: object]>(
  [
    ['started', 'started', {}, rollout(5), { percent: 5, devices: 0 }],
    ['started anew', 'started', rollout(5), rollout(1, { id: 'two' }), { percent: 1, devices: 0 }],
    ['widened', 'widened', rollout(5), rollout(50), { percent: 50, devices: 0, effects: [] }],
    ['a smaller share', 'changed', rollout(5), rollout(1), { percent: 1, devices: 0, effects: [] }],
    [
      'another device',
      'changed',
      rollout(5),
      rollout(5, { devices: ['phone'] }),
      { percent: 5, devices: 1, effects: [] },
    ],
    ['finished', 'finished', rollout(5), { fields: [DROP, TEXT] }],
    ['stopped', 'stopped', rollout(5), {}],
    ['other fields live', 'ended', rollout(5), { fields: [TEXT] }],
    ['running', undefined, rollout(5), { ...rollout(5), fields: [COMBO] }],
  ],
)('what the news says of a rollout: %s', async (_what, change, before, after, more = {}) => {
  const detail = await newsOf(
    client({ fields: [DROP], ...before }),
    client({ fields: [DROP], ...after }),
  );
  expect(detail.rollout?.change).toBe(change);
  if (change) expect(detail.rollout).toMatchObject(more);
  const isNew = change === 'started';
  if (change) expect(detail.rollout.effects.length > 0).toBe(isNew);
  // Named devices can be advertising ids.
  expect(JSON.stringify(detail)).not.toContain('phone');
});

test.each([
  ['arn:aws:sts::123456789012:assumed-role/Editor/jane', 'Editor/jane'],
  ['arn:aws:iam::123456789012:root', 'root'],
  ['jane@laptop', 'jane@laptop'],
])('the news names the author of a change, without the account: %s', async (by, author) => {
  const at = new Date(AT + 1000).toISOString();
  const lastChange = { id: 'change', by, at, message: 'Why\n@all' };
  const published = await newsOf(client({}), client({ fields: [TEXT], lastChange }));
  expect(published).toMatchObject({ madeBy: 'command', author, message: 'Why\n@all' });
  expect(JSON.stringify(published)).not.toContain('123456789012');
});

test('the news says that a change was a manual edit, and names no author', async () => {
  const at = new Date(AT + 1000).toISOString();
  const lastChange = { id: 'change', by: 'jane', at, message: 'Why' };
  const edited = await newsOf(client({ lastChange }), client({ fields: [TEXT], lastChange }));
  expect(edited.madeBy).toBe('manual edit');
  expect(edited).not.toHaveProperty('author');
  expect(edited).not.toHaveProperty('message');
});

test('the news names the App-Ids and app clients that somebody changed by hand', async () => {
  const [a, b, c] = ['key-a', 'key-b', 'key-c'].map(fingerprintOf);
  const before = { appIds: ['key-a', 'key-b'], userPoolClientIds: ['one', 'two'] };
  const after = { appIds: ['key-a', 'key-c'], userPoolClientIds: ['one'] };
  const effects = [
    `App-Id ${b} is removed.`,
    'App client two is removed.',
    `App-Id ${c} is added.`,
  ];
  const edited = await newsOf(client(before), client(after));
  expect(edited.effects).toEqual(effects);
  expect(edited.chat.text.split('\n').slice(1)).toEqual(effects);
  expect(JSON.stringify(edited)).not.toMatch(/key-/);
  const many = await newsOf(
    client(after),
    client({ ...after, appIds: Array.from({ length: 200 }, (_key, at) => `key-${at}`) }),
  );
  expect(many.effects.length).toBeLessThan(10);
  expect(many.effects.join()).toMatch(/… and 195 more App-Ids are added/);
  expect(many.effects.join()).toContain(`App-Id ${a} is removed.`);
  const swapped = await newsOf(
    client(before),
    client({ appIds: before.userPoolClientIds, userPoolClientIds: before.appIds }),
  );
  expect(swapped.effects).toContain(`App client digest ${a} is added.`);
  expect(JSON.stringify(swapped)).not.toMatch(/key-/);
  const open = await newsOf(client(after), client({ appIds: after.appIds }));
  expect(open.effects).toContain('App clients: all are accepted.');
  const ids = Array.from({ length: 200 }, (_id, at) => `id${at}`);
  const shut = await newsOf(
    client({ appIds: after.appIds }),
    client({ ...after, userPoolClientIds: ids }),
  );
  expect(shut.effects.length).toBeLessThan(10);
  expect(shut.effects.join()).toMatch(/… and 195 more app clients are added/);
});

test.each<[message: string, effects: string[]]>([
  [`Revoked App-Id ${KEY}`, ['App client two is removed.']],
  [`Revoked App-Id ${KEY} (iOS)`, ['App client two is removed.']],
  ['Set the app clients one, two', [`App-Id ${KEY} is removed.`]],
  ['Corrected a caption', [`App-Id ${KEY} is removed.`, 'App client two is removed.']],
])(
  'the news has the effects on access that its message does not name: %s',
  async (message, effects) => {
    const at = new Date(AT + 1000).toISOString();
    const lastChange = { id: 'change', by: 'jane', at, message };
    const published = await newsOf(
      client({ appIds: ['key-a', 'key-b'], userPoolClientIds: ['one', 'two'] }),
      client({ appIds: ['key-a'], userPoolClientIds: ['one'], lastChange }),
    );
    expect(published).toMatchObject({ madeBy: 'command', message, effects });
  },
);

test.each(['', 'Corrected.', 'undefined'])('no message hides a change: %j', async (message) => {
  const lastChange = { id: 'change', by: 'jane', at: new Date(AT + 1000).toISOString(), message };
  const shut = await newsOf(client({}), client({ userPoolClientIds: ['one'], lastChange }));
  expect(shut.effects[0]).toBe('App clients: others are no longer accepted.');
});

test('no text of a change begins a line, a link or a call of everybody in a chat', async () => {
  const hostile = 'x\nHarm: none\u2028<!channel> <https://evil.example|click>\u202e';
  const lastChange = {
    id: 'change',
    by: hostile,
    at: new Date(AT + 1000).toISOString(),
    message: hostile,
  };
  const after = client({ fields: [{ ...TEXT, fieldName: hostile }], lastChange });
  const { chat, effects } = await newsOf(client({}), after);
  expect(chat.text).not.toMatch(/[<>\u2028\u202e]/);
  expect(chat.text.split('\n')).toHaveLength(1 + effects.length);
});

test('the text for a chat is as short as the lists: harm is in one of their lines only', async () => {
  const before = Array.from({ length: 26 }, (_, at) => ({ ...TEXT, id: `${at + 1}` }));
  const after = before.map((field, at) =>
    at < 2 ? { ...field, fieldType: 'note' } : { ...field, mandatory: !field.mandatory },
  );
  const { chat, effects } = await newsOf(client({ fields: before }), client({ fields: after }));
  const lines = chat.text.split('\n').slice(1);
  expect(lines.map((line: string) => line.replace(/^Harm: /, '')).toSorted()).toEqual(
    effects.toSorted(),
  );
});

test('a client that is created and one that is removed are news', async () => {
  const created = await newsOf(client({ fields: [TEXT] }));
  expect(created).toMatchObject({ configurationVersion: 1 });
  // A rule for harm asks whether there is any.
  expect(created).not.toHaveProperty('harm');
  expect(created.effects.join()).toContain(JSON.stringify(TEXT.fieldName));
  const removed = await newsOf(client({ fields: [TEXT] }), undefined);
  expect(removed.harm).toHaveLength(1);
  expect(removed.effects).toEqual(removed.harm);
});
