import { randomUUID } from 'node:crypto';
import { fingerprintOf } from 'customer-data-api/clients';
import { PROMO_EVENTS_SOURCE } from 'customer-data-api/promo-events';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { eventOf } from 'customer-data-api/testing/promo-event';
import { expect, vi } from 'vitest';
import { parse } from 'yaml';
import { client, FIRST_KEY } from '../support/transcripts/clients.ts';
import { CTRL_C, OPERATOR, STACK, scenario } from '../support/transcripts/desk.ts';
import { queuesOf } from '../support/transcripts/queues.ts';

/** A deployment with the app clients of several tenants. */
const TENANTS = {
  outputs: { UserPoolClientId: 'one,two' },
  environment: { USER_POOL_CLIENT_IDS: 'one,two' },
};

scenario('clients/create', 'A new client can call at once.', async (desk) => {
  const { run, ends, unseen, serves, item, service } = desk;
  await run('clients create pizza --local --dry-run');
  const { stdout } = await run('clients create pizza --local');
  await serves('pizza', stdout.trim());
  expect(await item('pizza')).toEqual({
    clientId: 'pizza',
    fields: [],
    lastFieldId: 0,
    appIds: new Set([stdout.trim()]),
    userPoolClientIds: new Set([service.outputs.UserPoolClientId]),
    promoCodesIgnoreCase: true,
    appIdLabels: { [fingerprintOf(stdout.trim())]: { at: expect.any(String), by: 'jane' } },
    lastChange: expect.objectContaining({ by: 'jane', message: 'Created', creates: 'pizza' }),
  });
  await run('clients create pizza --local');
  const json = await run('clients create pasta --local --json | cat');
  await serves('pasta', JSON.parse(json.stdout).appId);
  await run('clients create café --local --dry-run');
  await run('clients create smoke-house --local');
  const refused = '比萨 cafe\u0301 \u212aelvin a@2 Pizza! menus/pizza.yaml pizza.YML .hidden -x';
  for (const id of [...refused.split(' '), `smoke-${randomUUID()}`, 'x'.repeat(256)]) {
    const { code } = await unseen(`clients create --local -- ${id}`);
    expect({ id, code }).toEqual({ id, code: 2 });
  }
  await ends(...['Z_.-', 'Smoke-house'].map((id) => `clients create ${id} --local --dry-run`));
  await run('clients create soup --local --app-client foreign');
});

scenario(
  'clients/promo-codes',
  'Case does not count in the promo codes of a client that nobody knew before.',
  async (desk) => {
    const { run, ends, doctor, item, put, remove, note } = desk;
    const { store, published } = await queuesOf(desk);
    const caseOf = async (clientId: string) => (await item(clientId))?.promoCodesIgnoreCase;
    await run('clients create exact --local --case-sensitive-codes');
    note('A client that was removed comes back as it was.');
    for (const [clientId, option, ignores] of [
      ['loose', '', true],
      ['strict', ' --case-sensitive-codes', undefined],
    ] as const) {
      const create = `clients create ${clientId} --local`;
      await ends(create + option, `clients remove ${clientId} --local --yes`);
      if (ignores) await run(`${create} --case-sensitive-codes`);
      await ends(create);
      expect(await caseOf(clientId)).toBe(ignores);
    }
    note('Of these, only promo events are left.');
    await store(eventOf('jane', { clientId: 'former' }));
    await store(eventOf('jane', { clientId: 'unrecorded', codeIdentity: 'CODE' }));
    await vi.waitFor(async () => {
      const events = await published();
      expect(events.filter(({ source }) => source === PROMO_EVENTS_SOURCE)).toHaveLength(2);
    });
    await ends(
      'clients create former --local',
      'clients create unrecorded --local --case-sensitive-codes',
      'clients create unrecorded --local',
    );
    expect(await caseOf('former')).toBeUndefined();
    expect(await caseOf('unrecorded')).toBe(true);
    const former = await item('former');
    await put(client('by-hand', { ...former, clientId: 'by-hand', promoCodesIgnoreCase: 'yes' }));
    await run('clients show by-hand --local');
    const fields = parse(PIZZA).fields.slice(0, 1);
    const edited = { promoCodesIgnoreCase: true, fields, lastFieldId: 1 };
    await put(client('by-hand', { ...former, clientId: 'by-hand', ...edited }));
    await run('config history by-hand --local | cat');
    await doctor();
    note('An item that comes back by hand is compared with what was removed.');
    await remove('loose');
    await put(client('loose'));
    await doctor();
  },
  { records: true },
);

scenario(
  'clients/edited-rules',
  'A rule that somebody edited stays a problem until a person decides, whatever is published.',
  async (desk) => {
    const { run, ends, doctor, unseen, item, put, note, write } = desk;
    await ends('clients create pizza --local --app-client one');
    const { promoCodesIgnoreCase, ...edited } = (await item('pizza')) ?? {};
    await put({ ...edited, clientId: 'pizza', userPoolClientIds: new Set(['one', 'two']) });
    note('Somebody publishes, starts and stops a rollout, and adds an App-Id.');
    const succeeds = async (words: string) =>
      expect(await unseen(`${words} --local`)).toMatchObject({ code: 0 });
    await write('pizza.yaml', PIZZA);
    await succeeds('config publish pizza.yaml -m Try --rollout 5 --yes');
    await succeeds('rollout stop pizza -m Stop --yes');
    await succeeds('keys add pizza');
    await run('clients list --local | cat');
    await doctor();
    await run('clients show pizza --local');
    note('The app clients are right.');
    await run('clients set-app-clients pizza one two --local --yes');
    await ends('clients set-app-clients pizza one two --local --yes');
    await doctor();
    note('The client comes back with the case that it had.');
    await succeeds('clients remove pizza --yes');
    await put({ ...edited, clientId: 'pizza' });
    await succeeds('keys add pizza');
    await doctor();
    await put({ ...(await item('pizza')), clientId: 'pizza', promoCodesIgnoreCase });
    await doctor();
    for (const ids of [['one'], ['one', 'two']])
      await put(client('pasta', { userPoolClientIds: ids }));
    await doctor();
  },
  { ...TENANTS, records: true },
);

scenario('clients/list-and-show', 'What needs attention is marked.', async (desk) => {
  const { run, unseen, put, service } = desk;
  const userPoolClientIds = new Set([service.outputs.UserPoolClientId]);
  const finding = { id: '1', fieldType: 'date', appUIs: ['profile'] };
  await put(client('locked', { appIds: [] }));
  await put(client('pasted', { userPoolClientIds, appIds: ['pasted-id ', 'other-id'] }));
  await put(
    client('broken', { userPoolClientIds, fields: [finding], lastFieldId: '7', feilds: [] }),
  );
  await put(
    client('old\u001b[2J', {
      userPoolClientIds: new Set(['another\u001b[31m']),
      appIds: ['key-1', 'key-2', 'key-3', 'key-4', 'key-5', 'key-6'],
      lastChange: { id: '1', at: '2026-07-20T10:00:00.000Z', by: '\u001bann', message: '\u001b' },
    }),
  );
  await run('clients list --local');
  await run('clients list --local --json | cat');
  vi.stubEnv('NO_COLOR', '1');
  const { stdout } = await unseen('clients list --local');
  expect(stdout).not.toContain('\u001b');
  vi.stubEnv('NO_COLOR', undefined);
  await run('clients show locked --local');
  await run('clients show broken --local --json | cat');
  await run('clients show nobody --local');
});

scenario(
  'clients/app-clients',
  'A client that lost its app clients is separated again.',
  async ({ run, ends, put, item, serves, service }) => {
    const { UserPoolClientId: own } = service.outputs;
    const words = `clients set-app-clients open ${own} --local`;
    await put(client('open', { userPoolClientIds: ['another'] }));
    await serves('open', FIRST_KEY, 401);
    await ends(`${words} --dry-run`, `${words} < /dev/null`, [words, 'n']);
    const edited = async () => {
      await put(client('open', { userPoolClientIds: new Set(['foreign']) }));
      return 'y';
    };
    await run(words, edited);
    await run(words, 'y');
    await serves('open', FIRST_KEY);
    const { lastChange, ...after } = (await item('open')) ?? {};
    const separated = client('open', { userPoolClientIds: new Set([own]) });
    expect(after).toEqual(separated);
    expect(lastChange).toMatchObject({ message: `Set the app clients ${own}` });
    await run(words);
    await put(client('open'));
    await ends(`${words} --yes`, `clients set-app-clients nobody ${own} --local --yes`);
  },
);

scenario(
  'clients/several-app-clients',
  'A deployment with the app clients of several tenants.',
  async ({ run, ends, item }) => {
    await run('clients create pizza --local');
    await run('clients create pizza --local --app-client two foreign one other');
    expect(await item('pizza')).toBeUndefined();
    await ends('clients create pizza --local --app-client two');
    expect((await item('pizza'))?.userPoolClientIds).toEqual(new Set(['two']));
    await ends('clients set-app-clients pizza two foreign --local --yes');
    await run('clients set-app-clients pizza two one two --local --yes');
    expect((await item('pizza'))?.userPoolClientIds).toEqual(new Set(['one', 'two']));
    await ends('clients set-app-clients pizza one --local --yes');
    expect((await item('pizza'))?.userPoolClientIds).toEqual(new Set(['one']));
  },
  TENANTS,
);

scenario(
  'clients/app-clients-required',
  'Where clients need app clients, all commands say that one without them admits nobody.',
  async ({ run, doctor, put, serves }) => {
    await put(client('open'));
    await serves('open', FIRST_KEY, 401);
    await run('clients list --local | cat');
    await run('clients show open --local');
    await doctor();
  },
  {
    outputs: { UserPoolClientId: 'two', RequiresUserPoolClientIds: 'true' },
    environment: { REQUIRE_USER_POOL_CLIENT_IDS: 'true', USER_POOL_CLIENT_IDS: 'two' },
  },
);

scenario(
  'clients/remove',
  'A client is removed only by who types its name.',
  async ({ run, ends, put, item, serves }) => {
    await put(client('pizza', { fields: [{}], appIds: [] }));
    const words = 'clients remove pizza --local';
    await run(`${words} < /dev/null`);
    await ends(`${words} --dry-run`, [words, 'y'], [words, 'Pizza'], [words, CTRL_C]);
    await run(words, 'pizza');
    expect(await item('pizza')).toBeUndefined();
    await run(`${words} --yes`);
    await ends('clients remove acme --local --yes | cat');
    await serves('acme', 'acme-app-key', 401);
  },
);

scenario(
  'clients/comes-back',
  'A client that was deleted by hand comes back, with its fields and its App-Id.',
  async ({ run, ends, remove, write, service, item, serves, note }) => {
    // No new client could have this id.
    const clientId = 'olé@hut!';
    const copy = { ...(await item('acme')), clientId, appIds: ['old-app-id'] };
    note('By hand: the item olé@hut! is made of the item acme, with another App-Id.');
    await service.putConfig(copy);
    const before = await serves(clientId, 'old-app-id');
    await remove(clientId);
    await serves(clientId, 'old-app-id', 401);
    await run(`config history ${clientId} --local`);
    await run(`config rollback ${clientId}@1 -m Back --local --yes`);
    await write('app-id.txt', 'old-app-id\n');
    await ends(
      `clients create ${clientId} --local`,
      `config rollback ${clientId}@1 -m Back --local --yes`,
      `keys add ${clientId} --from app-id.txt --local`,
    );
    expect(await serves(clientId, 'old-app-id')).toEqual(before);
  },
  { records: true },
);

scenario(
  'clients/swapped-lists',
  'An App-Id that stands among the app clients is printed by its digest.',
  async ({ run, unseen, put, outputs }) => {
    const appId = 'pizza-app-key';
    const likeAppClient = '0f8fad5bd9cb469fa16570867728950e';
    const { UserPoolClientId } = outputs;
    const appIds = [appId, likeAppClient];
    const right = { appIds, userPoolClientIds: ['2f4k5l6m7n8o'] };
    await put(client('pizza', right));
    await put(client('pizza', { appIds: right.userPoolClientIds, userPoolClientIds: appIds }));
    const printed = [
      await run('clients show pizza --local'),
      await unseen('clients list --local --json | cat'),
      await unseen('doctor --local | cat'),
      await run(`clients set-app-clients pizza ${appId} ${likeAppClient} --local | cat`),
      await unseen(`clients set-app-clients pizza ${UserPoolClientId} --local --dry-run`),
      await unseen('config history pizza --local --json | cat'),
    ];
    for (const one of [...appIds, '2f4k5l6m7n8o']) {
      expect(JSON.stringify(printed)).not.toContain(one);
    }
    await put(client('pizza', { ...right, appIdLabels: { [appId]: 'by hand' } }));
    await run('clients show pizza --local --json | cat');
  },
  { records: true },
);

scenario(
  'clients/smoke-ids',
  'An id of the smoke checks belongs to nobody else.',
  async ({ ends, put, outputs }) => {
    await put(client('smoke-house', { userPoolClientIds: [outputs.UserPoolClientId] }));
    await ends('clients remove smoke-house --local --yes', 'clients create smoke-house --local');
  },
  { records: true },
);

/** Commands that change the client `demo`, with the answer that confirms each. */
const CHANGING = [
  ['clients create pizza --app-client one'],
  ['clients set-app-clients demo two', 'y'],
  ['keys add demo'],
  [`keys revoke demo ${FIRST_KEY}`, 'y'],
  ['clients remove demo', 'demo'],
] as const;

/** The parts that each of them concerns. */
const CHANGEABLE = client('demo', {
  appIds: new Set([FIRST_KEY, 'key-2']),
});

scenario(
  'clients/in-production',
  'Each change in production is asked for in red, and names who made it.',
  async ({ run, ends, put, item }) => {
    await put(CHANGEABLE);
    for (const [words, answer] of CHANGING) {
      await ends(`${words} --stack ${STACK} --dry-run`);
      if (answer) await ends([`${words} --stack ${STACK}`, 'n']);
      await run(`${words} --stack ${STACK}`, answer);
      if (words === 'clients remove demo') expect(await item('demo')).toBeUndefined();
      else {
        const { lastChange } = (await item(words.includes('pizza') ? 'pizza' : 'demo')) ?? {};
        expect(lastChange).toMatchObject({ by: OPERATOR });
      }
    }
  },
  TENANTS,
);

scenario(
  'clients/not-permitted',
  'When AWS refuses a call, nothing is changed, and no App-Id is printed that nobody has.',
  async ({ run, unseen, put, answer, state, note }) => {
    await put(CHANGEABLE);
    const before = await state();
    for (const call of ['GetCallerIdentity', 'UpdateItem']) {
      note(`${call} is not permitted.`);
      answer({ [call]: undefined });
      for (const [index, [words, yes]] of CHANGING.entries()) {
        const play = index === 0 ? run : unseen;
        const { code, stdout } = await play(`${words} --stack ${STACK}${yes ? ' --yes' : ''}`);
        expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
      }
    }
    expect(await state()).toEqual(before);
  },
  TENANTS,
);
