import { DeleteTableCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, NumberValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { applyPromoCode, functionName } from 'customer-data-api/operations';
import { appliedEventId, type PromoEvent } from 'customer-data-api/promo-events';
import { functionLogGroup } from 'customer-data-api/stack';
import { lengthOf } from 'customer-data-api/testing/aws';
import { itemsIn } from 'customer-data-api/testing/items-in';
import { newTable } from 'customer-data-api/testing/new-table';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { createTable } from 'customer-data-api-local';
import { expect, vi } from 'vitest';
import { type Desk, STACK, scenario } from '../support/transcripts/desk.ts';
import { queuesOf } from '../support/transcripts/queues.ts';

const of = (userId: string, promoCode: string, day = 20, others: Partial<PromoEvent> = {}) =>
  eventOf(userId, { promoCode, receivedAt: `2026-11-${day}T09:30:00.412Z`, ...others });
/** Users, the minutes by which the clock of who erases them is wrong, and when they had a code. */
const CLOCKS = [
  ['slow', -10, -5],
  ['fast', 10, 5],
] as const;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const LIST = 'promo list demo --local';
const REPEATED = 'jane#SAVE10#repeated#2026-11-22T09:30:00.000Z';
const UUID = 'd8f1a2b0-1b2c-4d3e-8f90-a1b2c3d4e5f6';

/** The users and codes that a list has as JSON, which are those that it has as CSV. */
async function listed(desk: Desk, options: string): Promise<string[]> {
  const lines = (await desk.unseen(`${LIST} ${options} --json | cat`)).stdout.split('\n');
  const events = lines.filter(Boolean).map((line) => JSON.parse(line));
  const { stdout } = await desk.unseen(`${LIST} ${options} --csv | cat`);
  expect(stdout.startsWith('\ufeffreceivedAt,')).toBe(true);
  const [headings = '', ...rows] = stdout.slice(1).trimEnd().split('\n');
  const columns = headings.split(',');
  expect(rows).toEqual(
    events
      .toSorted((a, b) => (a.receivedAt < b.receivedAt ? -1 : 1))
      .map((event) => columns.map((name) => String(event[name] ?? '').replace(/^=/, "'=")).join()),
  );
  return events.map(
    ({ userId, promoCode, kind }) => `${userId} ${promoCode}${kind === 'dead' ? ' dead' : ''}`,
  );
}

scenario('promo/list', 'The promo events of a client, as text, CSV and JSON.', async (desk) => {
  const { run, ends } = desk;
  const { apply, store } = await queuesOf(desk);
  await run(LIST);
  await run(`${LIST} --device device`);
  await ends(`${LIST} --csv | cat`);
  await store(of('jane', 'A', 20, { promoCodeToken: 'eyJ0b2tlbg.secret' }), of('jane', 'B', 21));
  await store(of('jane#1', 'A', 22), of('joe', 'A', 23), of('joe', '=1+1', 24));
  await store(of('jane', 'A', 20, { clientId: 'acme' }));
  await run(`${LIST} --user joe`);
  await run(`${LIST} --csv | cat`);
  await run(`${LIST} --user joe --json | cat`);
  for (const [options, found] of [
    ['', ['joe =1+1', 'joe A', 'jane#1 A', 'jane B', 'jane A']],
    ['--user jane', ['jane B', 'jane A']],
    ['--user jan', []],
    ['--code " a "', ['jane A', 'jane#1 A', 'joe A']],
    ['--user Jane', []],
    ['--user "jane "', []],
    ['--user jane --code A', ['jane A']],
    ['--since 2026-11-22T09:30:00.412Z --code A', ['joe A', 'jane#1 A']],
    ['--since 2026-11-22T09:31Z --code A', ['joe A']],
    ['--since 2026-11-21 --until 2026-11-22', ['jane#1 A', 'jane B']],
    ['--since 2026-11-22 --until 2026-11-22', ['jane#1 A']],
    ['--until 2026-11-22T09:30:00.412Z --code A', ['jane A']],
  ] as const) {
    expect((await listed(desk, options)).sort(), options).toEqual([...found].sort());
  }
  await apply('ann', 'NOW');
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  await store(eventOf('ann', { promoCode: 'EARLIER', receivedAt: ago(2) }));
  expect(await listed(desk, '--user ann --since 30m')).toEqual(['ann NOW']);
  expect(await listed(desk, '--user ann --since 3h')).toEqual(['ann EARLIER', 'ann NOW']);
  // Spreadsheets run formulas.
  for (const code of ['=1', '+1', '-1', '@1', 'a,b', '"a"']) {
    await store(of('joe', code, 20, { clientId: 'acme' }));
  }
  await run('promo list acme --local --user joe --csv | cat');
  await store(of('joe ', 'A', 20, { clientId: 'acme' }));
  await run('promo list acme --local --code A | cat');
});

scenario(
  'promo/devices',
  'A search by device, of a deployment that stores device ids.',
  async (desk) => {
    const { run } = desk;
    const { store } = await queuesOf(desk);
    await store(of('jane', 'A', 20), of('jane', 'B', 21, { deviceId: '' }));
    expect(await listed(desk, '--device device')).toEqual(['jane A']);
    expect(await listed(desk, '--device DEVICE')).toEqual([]);
    await run(`${LIST} --code A --csv | cat`);
    await run(`${LIST} --code B --csv | cat`);
  },
  { outputs: { StoresDeviceIds: 'true' } },
);

/** The answers of Logs Insights: rows of fields. */
const logged = (...rows: Readonly<Record<string, string>>[]) => ({
  GetQueryResults: {
    status: 'Complete',
    results: rows.map((row) => Object.entries(row).map(([field, value]) => ({ field, value }))),
  },
});

scenario(
  'promo/refusals',
  'Why codes of a client were not applied, and what to tell its customers.',
  async (desk) => {
    const { run, put, answer, aws, note } = desk;
    const words = `promo list demo --stack ${STACK} --user kim | cat`;
    const at = (hour: string) => ({ hour: `2026-11-27 ${hour}:00:00.000` });
    const demo = { clientId: 'demo', ...at('09') };
    const row = (code: string, requests: number, others: object = {}) => ({
      code,
      requests: String(requests),
      ...others,
    });
    const forged = { mistake: 'otherUser', why: 'Error: the claim sub is not userId' };
    const expired = (year: number) => ({ ...at('09'), why: `X: Token expired at ${year}` });
    answer(
      logged(
        row('ValidationException', 12, { ...demo, mistake: 'promoCode', why: 'promoCode must …' }),
        row('ValidationException', 1, { ...demo, ...at('08'), why: 'userId is required.' }),
        row('ForbiddenException', 3, { ...demo, ...forged }),
        row('InternalServerError', 1, demo),
        row('NotAuthorizedException', 2, expired(2026)),
        row('NotAuthorizedException', 5, expired(2025)),
      ),
    );
    await run(words);
    const [query = {}] = aws.inputsOf('StartQuery');
    expect(query.logGroupNames).toEqual([functionLogGroup(STACK, functionName(applyPromoCode))]);
    const clientId = 'a"b\\c 試';
    await put({ clientId, appIds: ['key'] });
    await desk.unseen(`promo list '${clientId}' --stack ${STACK} --user kim`);
    const [{ queryString } = {}] = aws.inputsOf('StartQuery');
    expect(queryString).toContain(JSON.stringify(clientId));
    note('Nothing was refused:');
    answer(logged());
    await run(words);
    note('A Viewer may not read logs:');
    answer({ StartQuery: undefined });
    await run(words);
    // On this machine, the function has logged the refusal of another client.
    const timestamp = new Date().toISOString();
    const logLine = { service: applyPromoCode.folder, statusCode: 403, message: '', timestamp };
    await desk.write('.local/kept-lines.jsonl', JSON.stringify({ ...logLine, clientId: 'acme' }));
    for (const id of ['acme', 'demo']) {
      const { stderr } = await desk.unseen(`promo list ${id} --local --user kim`);
      expect(stderr.includes('1 request'), stderr).toBe(id === 'acme');
    }
    note('The logs fail:');
    answer({ GetQueryResults: { status: 'Timeout' } });
    await run(words);
  },
);

scenario('promo/usage', 'What cannot be asked for.', async ({ run, unseen }) => {
  await run(`${LIST} --since tomorrow`);
  await run(`${LIST} --since 2026-11-22 --until 2026-11-21`);
  await run(`${LIST} --csv --json`);
  // Not those of all users.
  await run(`${LIST} --user ""`);
  await run(`${LIST} --code SUMMER-2026`);
  // JavaScript reads the last ones as the next day.
  const refused =
    ',24,1 h,1w,-1h,10000d,2026-11-21T9:3,2026-11-21T,2999-01-01,2026-02-29,2026-02-30T09:30Z';
  for (const since of refused.split(',')) {
    expect((await unseen(`${LIST} --since "${since}"`)).code, since).toBe(2);
  }
});

scenario(
  'promo/any-case',
  'A code is found in any case of A to Z, and listed as it was stored.',
  async (desk) => {
    const { run } = desk;
    const { store, put } = await queuesOf(desk);
    const codeIdentity = 'SAVE10';
    await store(
      of('jane', 'Save10', 20, { codeIdentity }),
      of('joe', 'SAVE10', 21, { codeIdentity }),
    );
    await put({
      ...of('jane', 'save10', 22, { codeIdentity }),
      eventId: REPEATED,
      kind: 'repeated',
    });
    // As while case counted: two codes.
    await store(of('max', 'save10', 23), of('max', 'SAVE10', 24));
    await store(of('ann', 'CAFÉ'), of('ann', 'CAFé'), of('ann', 'SAVE-10'));
    for (const code of ['SAVE10', ' sAVE10 ']) {
      expect((await listed(desk, `--code "${code}"`)).sort()).toEqual([
        'jane Save10',
        'jane save10',
        'joe SAVE10',
        'max SAVE10',
        'max save10',
      ]);
    }
    // It is read as the service reads it. Letters beyond A to Z have the case that they have.
    expect(await listed(desk, '--code " cafE\u0301 "')).toEqual(['ann CAFÉ']);
    expect(await listed(desk, '--user ann --code "Caf\u00e9"')).toEqual(['ann CAFé']);
    // Bytes that were not UTF-8, as releases before this one stored them.
    await store(of('ann', 'NO\ufffdL'), of('j\ufffdne', 'ONE'));
    expect(await listed(desk, '--code no\ufffdl')).toEqual(['ann NO\ufffdL']);
    expect(await listed(desk, '--user j\ufffdne')).toEqual(['j\ufffdne ONE']);
    await run(`${LIST} --code Save10 | cat`);
    for (let day = 10; day < 22; day++) await store(of('kim', `OLD${day}`, day));
    await store(of('kim', 'SAVE\u200b20', 23), of('kim', '\u0421ODE', 22));
    await put({ ...of('kim', 'OLD21', 24), eventId: 'kim#OLD21#repeated#1', kind: 'repeated' });
    await run(`${LIST} --user kim --code SAVE20 | cat`);
  },
);

const [COMPOSED, DECOMPOSED] = ['caf\u00e9-7', 'cafe\u0301-7'];

scenario(
  'promo/forms',
  'A user is found in each Unicode form of the id, and in each case of a UUID.',
  async (desk) => {
    const { run } = desk;
    const { store, send } = await queuesOf(desk);
    await store(of(COMPOSED, 'A'), of(DECOMPOSED, 'A', 21), of(DECOMPOSED, 'B', 22));
    // The last one has another form in NFKC only.
    const others = ['cafe-7', 'CAF\u00c9-7', '\uff43af\u00e9-7'];
    await store(...others.map((user) => of(user, 'A')));
    const letters = [COMPOSED, DECOMPOSED, ...others].map((user) => of(user, 'C'));
    await send('deadLetters', ...letters);
    const stored = [`${COMPOSED} A`, `${DECOMPOSED} A`, `${DECOMPOSED} B`].sort();
    for (const user of [COMPOSED, DECOMPOSED]) {
      expect((await listed(desk, `--user ${user}`)).sort()).toEqual(stored);
      expect((await listed(desk, `--user ${user} --search-dead-letters`)).sort()).toEqual(
        [...stored, `${COMPOSED} C dead`, `${DECOMPOSED} C dead`].sort(),
      );
    }
    await run(`${LIST} --user ${COMPOSED} | cat`);
    // Decomposed, it would be too long for the table.
    const long = '\ud55c'.repeat(85);
    await store(of(long, 'A'));
    expect(await listed(desk, `--user ${long}`)).toEqual([`${long} A`]);
    const forms = [UUID, UUID.toUpperCase(), UUID.replace('f', 'F'), UUID.replace('c', 'C')];
    await store(...forms.slice(0, 3).map((form) => of(form, 'ONE')));
    for (const form of forms) {
      const found = forms.slice(0, 3).map((one) => `${one} ONE`);
      expect((await listed(desk, `--user ${form}`)).sort()).toEqual(found.sort());
    }
    const vietnamese = ['Tru\u1ec7n', 'Tru\u00ea\u0323n'];
    await store(...vietnamese.map((user) => of(user, 'A')));
    expect(await listed(desk, `--user ${vietnamese[0]}`)).toHaveLength(2);
  },
);

scenario('promo/waiting', 'Codes that are not stored yet are counted, and stay.', async (desk) => {
  const { run, ends, aws, answer, note } = desk;
  const { send, hold, store, urls } = await queuesOf(desk);
  await send('queue', of('jane', 'SUMMER26'), of('joe', 'A'));
  await hold('queue');
  await run(`${LIST} --user jane`);
  await ends(`${LIST} --csv | cat`, `${LIST} --user jane --search-dead-letters`);
  expect(aws.inputsOf('ReceiveMessage').map(({ QueueUrl }) => QueueUrl)).not.toContain(urls.queue);
  answer({
    GetQueueAttributes: async ({ QueueUrl }, passOn) => {
      const counts = await passOn();
      if (QueueUrl !== urls.queue) return counts;
      note('One of them is stored now.');
      await store(of('jane', 'SUMMER26'));
      return counts;
    },
  });
  await run(LIST);
});

const LETTERS = [
  of('jane', 'SUMMER26', 20, { promoCodeToken: 'eyJ0b2tlbg.secret' }),
  of('jane', 'OTHER', 19),
  of('Jane', 'SUMMER26'),
  of('jane', 'SUMMER26', 20, { clientId: 'acme' }),
  of('joe', 'SUMMER26'),
  of(UUID.replace('f', 'F'), 'OTHER'),
  'not JSON',
];

scenario('promo/dead-letters', 'Dead letters are searched only on request.', async (desk) => {
  const { run, ends, aws, outputs, answer } = desk;
  const { send, drain, before, returnAgain } = await queuesOf(desk);
  await send('deadLetters', ...LETTERS);
  await run(`${LIST} --user jane`);
  expect(aws.inputsOf('ReceiveMessage')).toEqual([]);
  // The visibility timeout of one of them ends during the search.
  let times = 0;
  answer({
    ReceiveMessage: before(async () => {
      if (times < 2) times = await returnAgain('deadLetters', JSON.stringify(LETTERS[1]));
    }),
  });
  await run(`${LIST} --user jane --search-dead-letters`);
  for (const input of aws.inputsOf('ReceiveMessage')) {
    expect(input.QueueUrl).toBe(outputs.PromoEventsDeadLetterQueueUrl);
    expect(input.VisibilityTimeout).toBe(600);
  }
  await run(`${LIST} --user nobody --search-dead-letters | cat`);
  for (const [user, found] of [
    ['jane', ['jane OTHER dead', 'jane SUMMER26 dead']],
    [UUID, [`${UUID.replace('f', 'F')} OTHER dead`]],
  ] as const) {
    expect((await listed(desk, `--user ${user} --search-dead-letters`)).sort()).toEqual(found);
  }
  await ends(
    `${LIST} --search-dead-letters`,
    `${LIST} --user jane --code OTHER --search-dead-letters`,
    `${LIST} --user jane --since 1h --search-dead-letters`,
  );
  expect(await drain('deadLetters')).toHaveLength(LETTERS.length);
});

scenario('promo/unsearched', 'A search that may have missed some fails.', async (desk) => {
  const { run, ends, answer, note } = desk;
  const { send, store, hold, drain, before, urls } = await queuesOf(desk);
  await send('deadLetters', ...LETTERS);
  await store(of('jane', 'SUMMER26'));
  note('Ctrl-C is pressed.');
  answer({ ReceiveMessage: before(() => process.emit('SIGINT')) });
  await run(`${LIST} --user joe --search-dead-letters`);
  const release = await hold('deadLetters');
  let counts = 0;
  answer({
    GetQueueAttributes: before(async ({ QueueUrl }) => {
      // It is counted for the list, and twice for the search.
      if (QueueUrl !== urls.deadLetters || ++counts !== 3) return;
      note('What somebody else had received returns behind the search.');
      await release();
    }),
  });
  await run(`${LIST} --user jane --search-dead-letters | cat`);
  note('There are too many.');
  answer({ GetQueueAttributes: lengthOf(100_001), ReceiveMessage: undefined });
  await run(`${LIST} --user joe --search-dead-letters | cat`);
  answer({
    ChangeMessageVisibilityBatch: () => {
      note('SQS does not release what was searched.');
      return undefined;
    },
  });
  await ends(`${LIST} --user jane --search-dead-letters`);
  expect(await drain('deadLetters')).toEqual([]);
});

scenario(
  'promo/clients',
  'A client that never was is an error; a removed one is not.',
  async (desk) => {
    const { run, ends, service } = desk;
    const { store } = await queuesOf(desk);
    await run('promo list nobody --local --csv');
    await ends('promo list nobody --local --user jane --search-dead-letters --json | cat');
    const TableName = service.outputs.ConfigVersionsTableName;
    const Key = { clientId: 'gone', version: 1 };
    await service.documentClient.send(new PutCommand({ TableName, Item: Key }));
    await ends('promo list gone --local');
    await service.documentClient.send(new DeleteCommand({ TableName, Key }));
    await store(of('jane', 'A', 20, { clientId: 'gone' }));
    await ends('promo list gone --local');
  },
);

scenario(
  'promo/copy',
  'A restored table gets what it lacks, and nothing of erased users.',
  async (desk) => {
    const { run, ends, service, answer, note } = desk;
    const { store, put } = await queuesOf(desk);
    const { documentClient } = service;
    await createTable(service.dynamodb, newTable('restored', 'clientId', 'eventId'));
    const restore = (event: PromoEvent, more: object = {}) => {
      const Item = { ...event, eventId: appliedEventId(event), kind: 'applied', ...more };
      return documentClient.send(new PutCommand({ TableName: 'restored', Item }));
    };
    const linesOf = async (TableName: string) => {
      const items = await itemsIn(TableName, documentClient);
      return items
        .map(
          ({ userId, promoCode, kind, requestDate }) =>
            `${userId} ${promoCode} ${kind} ${requestDate.slice(0, 10)}`,
        )
        .sort();
    };
    const later = { requestDate: '2026-11-25T09:30:00.000Z', receivedAt: inMinutes(60) };
    const late = eventOf('late', { receivedAt: '2026-10-01T09:30:00.000Z' });
    const [expired, lost] = [eventOf('expired'), eventOf('lost')];
    note('In the restored table: what was stored before the restore point.');
    const identified = { codeIdentity: 'SAVE10' };
    for (const event of [
      of('jane', 'A'),
      of('max', 'A'),
      lost,
      of('case', 'save10', 20, identified),
    ]) {
      await restore(event);
    }
    await restore(expired, { expiresAt: 1_700_000_000 });
    note('In the other table: what was stored then and later, and when the code was new again.');
    await store(of('jane', 'A'), of('max', 'A'), of('joe', 'B', 21), late);
    for (const event of [expired, lost]) await store({ ...event, ...later });
    // The same code in another case, applied after the accident.
    await store(of('case', 'SAVE10', 25, { ...identified, ...later }));
    const byHand = { eventId: 'jane#A#repeated#1', kind: 'repeated' };
    const digits = '0.12345678901234567890123';
    await put({ ...of('jane', 'A', 24), ...byHand, points: NumberValue.from(digits) });
    await ends('user erase demo --user max --local --yes');
    await store(of('max', 'A', 20, later));
    for (const [userId, clockMinutes, receivedMinutes] of CLOCKS) {
      await restore(eventOf(userId, { receivedAt: inMinutes(receivedMinutes) }));
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + clockMinutes * 60_000 });
      // The accident has deleted what the user had.
      await ends(`user erase demo --user ${userId} --local --yes`);
      vi.useRealTimers();
    }
    await restore(of(UUID, 'A'));
    await store(of(UUID, 'A'));
    await ends(`user erase demo --user ${UUID.toUpperCase()} --local --yes`);
    // Ids in two Unicode forms are two users: only one is erased.
    for (const userId of [COMPOSED, DECOMPOSED]) await restore(of(userId, 'A'));
    await ends(`user erase demo --user ${DECOMPOSED} --local --yes`);
    const before = await linesOf('restored');
    const copy = 'promo copy restored --local';
    await run(`${copy} --dry-run`);
    await ends([copy, 'n']);
    expect(await linesOf('restored')).toEqual(before);
    await run(copy, 'y');
    const after = await linesOf('restored');
    expect(after).toEqual([
      `${COMPOSED} A applied 2026-11-20`,
      'case SAVE10 repeated 2026-11-25',
      'case save10 applied 2026-11-20',
      'expired CODE applied 2026-11-25',
      'fast CODE applied 2026-11-20',
      'jane A applied 2026-11-20',
      'jane A repeated 2026-11-20',
      'joe B applied 2026-11-20',
      'late CODE applied 2026-11-20',
      'lost CODE applied 2026-11-20',
      'lost CODE repeated 2026-11-25',
      'max A applied 2026-11-25',
    ]);
    const Key = marshall({ clientId: of('jane', 'A').clientId, eventId: byHand.eventId });
    const read = new GetItemCommand({ TableName: 'restored', Key });
    expect((await service.dynamodb.send(read)).Item?.points).toEqual({ N: digits });
    await run(`${copy} --yes --json | cat`);
    expect(await linesOf('restored')).toEqual(after);
    await run('promo copy nowhere --local --yes');
    await run(`promo copy ${service.outputs.PromoEventsTableName} --local --yes`);
    note('The table is still written to:');
    const scans = [[], [], [marshall({ ...of('jane', 'L', 22), eventId: 'jane#L#applied' })]];
    answer({
      Scan: ({ TableName }, passOn) =>
        String(TableName).includes('Erasures') ? passOn() : { Items: scans.shift() },
    });
    await run(`${copy} --yes`);
    await service.dynamodb.send(new DeleteTableCommand({ TableName: 'restored' }));
  },
);

const CODES = `userId,promoCode,date,source,note
jane,save10,2024-05-01,,first
joe,Save10,2024-05-01 09:30:00+02,web,
joe,SAVE10,2024-06-01,,the same code
${UUID.toUpperCase()},SAVE10,2024-05-02,,stored in lower case
${UUID.toUpperCase()},OLD,2024-05-02,,there
D8F1A2B0-1B2C-4D3E-8F90-A1B2C3D4E5F7,OLD,2024-05-02,,unknown

,OLD,2024-05-01,,
jane,ELEVENCHARS,2024-05-01,,
jane,OLD,01.05.2024,,
jane,OLD,2024-02-30,,
jane,OLD,2999-01-01,,
jane,OLD,1403-02-11,,
jane,OLD,2024-05-01,a,b,c
max,OLD,2024-05-01,,erased
max,NEW,2026-11-20,,after it
jane,"OLD,2024-05-01,,
`;

scenario('promo/import', 'Codes that were applied elsewhere are no news.', async (desk) => {
  const { run, ends, put, write, service, outputs, answer, writeOutputs, note, aws } = desk;
  const { store, published } = await queuesOf(desk);
  const pizza = { clientId: 'pizza', appIds: ['pizza-app-key'], fields: [], lastFieldId: 0 };
  await put({ ...pizza, promoCodesIgnoreCase: true });
  await store(of(UUID, 'OLD', 20, { clientId: 'pizza', codeIdentity: 'OLD' }));
  await service.markErased('pizza', 'max', { erasedAt: '2026-11-19T00:00:00.000Z' });
  await write('codes.csv', CODES);
  const IMPORT = 'promo import codes.csv --client pizza --local';
  await run(`${IMPORT} --dry-run`);
  await ends([IMPORT, 'y'], `${IMPORT} --rate 0`, 'promo import none.csv --client pizza --local');
  await ends('promo import codes.csv --client nobody --local --yes');
  await run(IMPORT, 'pizza');
  const { receivedAt, importedAt, ...joes } =
    (await service.promoEvents('pizza')).find(({ userId }) => userId === 'joe') ?? {};
  expect(joes).toEqual({
    clientId: 'pizza',
    eventId: 'joe#SAVE10#applied',
    userId: 'joe',
    promoCode: 'Save10',
    codeIdentity: 'SAVE10',
    eventType: 'promo_applied',
    source: 'web',
    deviceId: '',
    requestDate: '2024-05-01T07:30:00.000Z',
    kind: 'applied',
  });
  expect([receivedAt, Date.parse(importedAt) > Date.now() - 60_000]).toEqual([
    joes.requestDate,
    true,
  ]);
  await ends([IMPORT, 'pizza']);
  await run('promo list pizza --local');
  await run('promo list pizza --local --user joe --csv | head -1');
  await write(
    'codes.jsonl',
    '{"userId":"amy","promoCode":"A","date":"2024-05-01"}\n[]\n{"userId":1}\n',
  );
  await run('promo import codes.jsonl --client pizza --local --yes --json | cat');
  await write('codes.txt', 'user;code\njane;A\n');
  await run('promo import codes.txt --client pizza --local --yes');

  note('A user is erased while the codes are written.');
  const file = 'userId,promoCode,date\nann,A,2024-05-01\nbob,A,2024-05-01\n';
  await write('codes.csv', file);
  answer({
    PutItem: async (input, passOn) => {
      const written = await passOn();
      if (JSON.stringify(input).includes('ann')) await service.markErased('pizza', 'ann');
      return written;
    },
  });
  await run(`${IMPORT} --yes`);
  answer();
  note('An earlier run was killed before it looked for erasures.');
  await store(of('ann', 'A', 20, { clientId: 'pizza', codeIdentity: 'A' }));
  await run(`${IMPORT} --yes`);
  await ends(`${IMPORT} --yes`);
  expect(aws.inputsOf('PutItem')).toEqual([]);
  const users = async () =>
    new Set((await service.promoEvents('pizza')).map(({ userId }) => userId));
  expect(await users()).toEqual(
    new Set(['amy', 'bob', 'jane', 'joe', 'max', UUID, UUID.toUpperCase().replace(/6$/, '7')]),
  );

  note('Markers cannot be read.');
  await write('codes.csv', 'userId,promoCode,date\neve,A,2024-05-01\n');
  await service.markErased('pizza', 'kim', { erasedAt: 'yesterday' });
  await run(`${IMPORT} --yes`);
  await service.markErased('pizza', 'kim');
  note('The deployment keeps promo events for a year.');
  await writeOutputs({ ...outputs, PromoEventRetentionDays: '365' });
  await run(`${IMPORT} --yes`);
  expect(await users()).not.toContain('eve');
  expect((await published()).map(({ detail }) => detail.userId)).not.toContain('joe');
});
