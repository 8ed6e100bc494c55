import { readFile } from 'node:fs/promises';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { PromoEvent } from 'customer-data-api/promo-events';
import { itemsIn } from 'customer-data-api/testing/items-in';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { expect, vi } from 'vitest';
import { CTRL_C, type Desk, STACK, scenario } from '../support/transcripts/desk.ts';
import { queuesOf } from '../support/transcripts/queues.ts';

const JANES = ['CODE', 'OTHER', 'a#b'].map((promoCode) => eventOf('jane', { promoCode }));
/** Other users with a similar id or client. */
const OTHERS = [
  eventOf('jane', { clientId: 'acme' }),
  eventOf('jane', { clientId: 'demo2' }),
  eventOf('demo', { clientId: 'jane' }),
  ...['janet', 'jan', 'Jane', 'jane#1', 'jane%23', ' jane'].map((userId) => eventOf(userId)),
];
const [JANE = eventOf('jane')] = JANES;
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
/** An event as of an hour ago: an old one is not stored. */
const recent = (event: PromoEvent) => ({ ...event, receivedAt: inSeconds(-3600) });
/** The codes that the user applies after the erasure. */
const returned = (promoCode: string) => eventOf('jane', { promoCode, receivedAt: inSeconds(60) });
const ERASE = 'user erase demo --local --user jane';
const namesOf = (events: readonly Readonly<Record<string, unknown>>[]) =>
  events.map(({ clientId, userId, promoCode }) => `${clientId} ${userId} ${promoCode}`).sort();
const DAY_SECONDS = 24 * 60 * 60;
/** The reach of point-in-time recovery, unless the table says less. */
const BACKUP_DAYS = 35;

async function storeOf(desk: Desk) {
  const { documentClient, outputs } = desk.service;
  const scan = (TableName: string) => itemsIn(TableName, documentClient);
  return {
    ...(await queuesOf(desk)),
    stored: async () => namesOf(await scan(outputs.PromoEventsTableName)),
    markers: () => scan(outputs.ErasuresTableName),
    putMarker: (Item: object) =>
      documentClient.send(new PutCommand({ TableName: outputs.ErasuresTableName, Item })),
  };
}

scenario('user/erase', 'The events of one user are erased; those of others stay.', async (desk) => {
  const { run, ends, aws } = desk;
  const { store, stored, send, drain } = await storeOf(desk);
  await store(...JANES, ...OTHERS);
  await send('busDeadLetters', '{}', '{}');
  for (const queue of ['queue', 'deadLetters'] as const) {
    await send(queue, ...JANES, ...OTHERS, returned('NEW'), 'not JSON');
  }
  await run(`${ERASE} --dry-run --json | cat`);
  await ends(`${ERASE} --dry-run`, `${ERASE} < /dev/null`, [ERASE, CTRL_C]);
  await run(`user erase demo --stack ${STACK} --user jane`, 'n');
  await run(ERASE, 'y');
  const calls = aws.calls.map(({ operation }) => operation);
  // Between the marker and the search, nothing is stored that both miss.
  expect(calls.indexOf('PutItem')).toBeLessThan(calls.indexOf('DeleteItem'));
  expect(calls.lastIndexOf('Query')).toBeGreaterThan(calls.lastIndexOf('DeleteItem'));
  for (const { ConsistentRead } of aws.inputsOf('Query')) expect(ConsistentRead).toBe(true);
  expect(calls).not.toContain('ReceiveMessage');
  expect(await stored()).toEqual(namesOf(OTHERS));
  await run('promo list demo --local --user jane --search-dead-letters');
  await drain('deadLetters');
  await drain('queue');
});

scenario(
  'user/returns',
  'What a function stores meanwhile is erased, and what the user applies later stays.',
  async (desk) => {
    const { run, unseen, answer } = desk;
    const { store, stored, before, markers } = await storeOf(desk);
    const { receivedAt: _, ...editedByHand } = JANE;
    await store(...JANES.slice(1), editedByHand, returned('KEPT'));
    let searches = 0;
    answer({
      // The first search ends with what it knew; the second one finds what was stored since.
      Query: before(async () => {
        if ((await markers()).length === 0 || ++searches !== 2) return;
        await store(eventOf('jane', { promoCode: 'LATE' }));
      }),
    });
    await run(`${ERASE} --yes --json | cat`);
    expect(await stored()).toEqual(['demo jane KEPT']);
    answer();
    // The letters of a UUID can have any case.
    const id = 'd8f1a2b0-1b2c-4d3e-8f90-a1b2c3d4e5f6';
    const forms = [id, id.toUpperCase(), id.replace('f', 'F')];
    for (const form of forms) {
      await store(...forms.map((userId) => eventOf(userId)));
      const { stdout } = await unseen(`user erase demo --local --user ${form} --yes --json | cat`);
      expect(JSON.parse(stdout)).toMatchObject({ wasStored: true, found: 3, removed: 3 });
      expect(await stored()).toEqual(['demo jane KEPT']);
    }
    await store(eventOf(id.replace('f', 'F')), eventOf(id.replace('c', 'C')));
    await run(`user erase demo --local --user ${id} --dry-run`);
    expect(await markers()).toHaveLength(2);
  },
);

scenario(
  'user/queued',
  'What waits in the queue is dropped, unless the user comes back.',
  async (desk) => {
    const { ends, service } = desk;
    const { store, stored, send } = await storeOf(desk);
    await store(...JANES);
    await ends(`${ERASE} --yes`);
    await send('queue', ...[...JANES, ...OTHERS].map(recent), returned('NEW'));
    const isEmpty = async () => (await service.messages()).queue === 0;
    await vi.waitUntil(isEmpty, { interval: 5 });
    expect(await stored()).toEqual(namesOf([...OTHERS, returned('NEW')]));
  },
  { storesQueued: true },
);

scenario(
  'user/nothing-stored',
  'A user without items is erased, too: messages may wait, and a backup may have more.',
  async (desk) => {
    const { run, unseen, ends, remove, service } = desk;
    const { store, stored, markers } = await storeOf(desk);
    await store(...OTHERS);
    await run('user erase nobody --local --user jane --yes');
    await run('user erase demo --local --user ""');
    await ends('user erase nobody --local --user jane --dry-run --json | cat');
    expect(await markers()).toEqual([]);
    await run(`${ERASE} --yes`);
    expect(await markers()).toHaveLength(1);
    await remove('demo');
    const TableName = service.outputs.ConfigVersionsTableName;
    const Item = { clientId: 'demo', version: 1 };
    await service.documentClient.send(new PutCommand({ TableName, Item }));
    const { code, stdout } = await unseen(`${ERASE} --yes --json | cat`);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { wasStored: false, removed: 0 }]);
    expect(await stored()).toEqual(namesOf(OTHERS));
  },
);

const [COMPOSED, DECOMPOSED] = ['caf\u00e9-7', 'cafe\u0301-7'];

scenario(
  'user/forms',
  'Ids in two Unicode forms are two users: each is shown, and erased if it is asked for.',
  async (desk) => {
    const { run, ends, unseen, service } = desk;
    const { store, stored, markers, send } = await storeOf(desk);
    const own = [eventOf(COMPOSED), eventOf(COMPOSED, { promoCode: 'OTHER' })];
    const other = eventOf(DECOMPOSED);
    await store(...own, other, eventOf('cafe-7'), eventOf('CAF\u00c9-7'));
    await run(`user erase demo --local --user ${DECOMPOSED} --dry-run`);
    const { stdout } = await unseen(
      `user erase demo --local --user ${COMPOSED} --dry-run --json | cat`,
    );
    expect(JSON.parse(stdout)).toEqual({
      clientId: 'demo',
      userId: COMPOSED,
      wasStored: true,
      found: 2,
      spellings: [{ userId: COMPOSED, found: 2 }],
      otherForms: [{ userId: DECOMPOSED, found: 1 }],
    });
    await ends(`user erase demo --local --user ${COMPOSED} --yes`);
    const others = [eventOf('cafe-7'), eventOf('CAF\u00c9-7')];
    expect(await stored()).toEqual(namesOf([other, ...others]));
    expect(await markers()).toHaveLength(1);
    // The marker of one does not erase the other.
    await send('queue', ...[...own, other].map(recent));
    await vi.waitUntil(async () => (await service.messages()).queue === 0, { interval: 5 });
    expect(await stored()).toEqual(namesOf([other, ...others]));
    await ends(`user erase demo --local --user ${DECOMPOSED} --yes`);
    expect(await stored()).toEqual(namesOf(others));
    expect(await markers()).toHaveLength(2);
    // As a Vietnamese keyboard writes it, which is neither of the normal forms.
    await store(eventOf('Tru\u00ea\u0323n'));
    await run('user erase demo --local --user Tru\u1ec7n --dry-run');
  },
  { storesQueued: true },
);

scenario('user/marker', 'The time of an erasure never decreases.', async (desk) => {
  const { run, ends } = desk;
  const { store, stored, markers, putMarker } = await storeOf(desk);
  const times = async () => (await markers()).map(({ erasedAt }) => erasedAt);
  await ends(`${ERASE} --yes`);
  const [marker] = await markers();
  const keptSeconds = marker?.expiresAt - Date.parse(marker?.erasedAt) / 1000;
  expect(keptSeconds).toBeGreaterThanOrEqual(await secondsUntilNothingReturns());
  // An hour ago, now, and a little later, by another clock of AWS.
  await putMarker({ ...marker, erasedAt: inSeconds(-3600) });
  await ends(`${ERASE} --yes`);
  expect((await times())[0] > inSeconds(-30)).toBe(true);
  const later = inSeconds(30);
  await putMarker({ ...marker, erasedAt: later });
  await store(eventOf('jane', { receivedAt: inSeconds(20) }), returned('NEW'));
  await ends(`${ERASE} --yes`);
  expect(await times()).toEqual([later]);
  expect(await stored()).toEqual(['demo jane NEW']);
  // Without a time that counts, there is none that could decrease.
  await putMarker({ ...marker, erasedAt: 7 });
  await ends(`${ERASE} --yes`);
  expect((await times())[0] > inSeconds(-30)).toBe(true);
  await putMarker({ ...marker, erasedAt: 'soon' });
  await run(`${ERASE} --yes`);
});

scenario(
  'user/fails',
  'After a failed call or Ctrl-C, what was removed is said, and the marker stays.',
  async (desk) => {
    const { run, ends, answer, note } = desk;
    const { store, stored, before, markers } = await storeOf(desk);
    await store(...JANES);
    note('The marker cannot be written: nothing is removed.');
    answer({ PutItem: undefined });
    await run(`${ERASE} --yes`);
    expect([(await stored()).length, await markers()]).toEqual([3, []]);
    note('The second item cannot be removed.');
    let deletions = 0;
    answer({ DeleteItem: (_, passOn) => (++deletions === 2 ? undefined : passOn()) });
    await run(`${ERASE} --yes | cat`);
    expect([(await stored()).length, (await markers()).length]).toEqual([2, 1]);
    note('Ctrl-C is pressed while the first of two is removed, and then while it waits.');
    answer({ DeleteItem: before(() => process.emit('SIGINT')) });
    await run(`${ERASE} --yes --json | cat`);
    expect(await stored()).toHaveLength(1);
    await ends(`${ERASE} --yes`);
    expect(await stored()).toEqual([]);
  },
);

/** The time after an erasure in which a restored table can bring the user back. */
async function secondsUntilNothingReturns(): Promise<number> {
  const deploy = await readFile(new URL('../../../../docs/deploy.md', import.meta.url), 'utf8');
  const [, copyDays] = /Copy within (\d+) days/.exec(deploy) ?? [];
  return (BACKUP_DAYS + Number(copyDays)) * DAY_SECONDS;
}
