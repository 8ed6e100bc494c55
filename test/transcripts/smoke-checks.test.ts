import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { CHECKS, type Check } from '../../cli/commands/smoke/checks.ts';
import { Cleanup } from '../../cli/commands/smoke/cleanup.ts';
import type { Subject } from '../../cli/commands/smoke/requests.ts';
import { createClient } from '../../cli/commands/smoke/test-client-record.ts';
import { createUser } from '../../cli/commands/smoke/user.ts';
import { wrap } from '../../cli/terminal/wrap-text.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { TRANSCRIPTS } from '../support/transcripts/desk.ts';
import { newService } from '../support/transcripts/shared-service.ts';

/* What each check of smoke sends, and which mistakes of a service it notices. */

/** An answer of the service, which a service may get wrong. */
interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a body to be made wrong
  body: any;
  headers: Record<string, string>;
}

/** The place of an answer among those of a check, and what it answers. */
interface Place {
  readonly index: number;
  readonly method: string;
  readonly path: string;
  readonly sent: string;
}

type Events = readonly Record<string, unknown>[];

/** Changes an answer, or returns another one. */
type WrongAnswer = (right: Answer, place: Place) => Partial<Answer> | undefined;

function refusal(status: number, code: string, message = 'Some reason.'): Partial<Answer> {
  const data = { message, code, statusCode: status, retryable: [429, 500, 503].includes(status) };
  const envelope = { errors: [{ code, message }], warnings: [], notices: [], data };
  return { status, body: status === 401 ? { ...envelope, message: 'Unauthorized' } : envelope };
}

const FORBIDDEN = refusal(403, 'ForbiddenException');
const queued: WrongAnswer = ({ body }) => void body.notices.push('It waits.');
const only =
  (index: number, wrong: WrongAnswer): WrongAnswer =>
  (right, place) =>
    place.index === index ? wrong(right, place) : undefined;
const inData =
  (change: (data: Answer['body']) => unknown): WrongAnswer =>
  ({ body }) =>
    void (body.errors.length === 0 && body.data.fields && change(body.data));

/** Answers that are wrong, by what is wrong with them. */
const WRONG_ANSWERS: Readonly<Record<string, WrongAnswer>> = {
  'a success': (_, { path }) => {
    const operation = OPERATIONS.find(({ paths }) => paths.some((one) => one.path === path));
    const data = operation?.example.data() ?? {};
    return { status: 200, body: { errors: [], warnings: [], notices: [], data } };
  },
  'another refusal': ({ status }) =>
    status === 401 ? refusal(400, 'ValidationException') : refusal(401, 'Unauthorized'),
  'a failure': () => refusal(503, 'ServiceUnavailableException'),
  'another status': ({ status, body: { data } }) => refusal(status === 400 ? 500 : 400, data.code),
  'another code': ({ status, body }) =>
    status === 200 ? undefined : { ...refusal(status, 'ThrottlingException', body.data.message) },
  'another message': ({ status, body }) => refusal(status, body.data.code),
  'a retry': ({ body }) =>
    void ('retryable' in body.data && Object.assign(body.data, { retryable: true })),
  'no warning': ({ body }) => void body.warnings.splice(0),
  'another warning': ({ body }) => void Object.assign(body, { warnings: ['Removed: size.'] }),
  'the first error only': ({ body }) => void body.errors.splice(1),
  'the last error only': ({ body }) => void body.errors.splice(0, 1),
  'another error': ({ body }) =>
    void body.errors.push(
      ...body.errors.slice(0, 1).map((one: object) => ({ ...one, pointer: '/x' })),
    ),
  'no fields': inData(({ fields }) => fields.splice(0)),
  'a missing field': inData(({ fields }) => fields.pop()),
  'another caption': inData(({ fields: [field] }) => Object.assign(field, { fieldName: 'Else' })),
  'another order': inData(({ fields }) => fields.reverse()),
  'another lastFieldId': inData((data) => data.lastFieldId++),
  'no Allow': ({ headers }) => void delete headers.allow,
  'a client that is told apart': (_, { sent }) =>
    sent.includes('"clientId":"smoke-')
      ? undefined
      : refusal(401, 'Unauthorized', 'There is no such client.'),
  'the second answer differs': only(1, () =>
    refusal(401, 'Unauthorized', 'There is no such client.'),
  ),
  'the event in the queue': queued,
  ...Object.fromEntries(
    [0, 1, 2, 4].map((index) => [`answer ${index + 1} in the queue`, only(index, queued)]),
  ),
  'answer 3 a refusal': only(2, () => FORBIDDEN),
  'answer 6 a refusal': only(5, () => FORBIDDEN),
};

/** What every check has to notice. */
const NEVER_RIGHT: readonly WrongAnswer[] = [
  () => ({ body: '<html>' }),
  ({ body }) => void Object.assign(body, { colour: 1 }),
  () => ({ status: 418 }),
  ({ headers }) => void delete headers.date,
  ({ body }) =>
    void Object.assign(body, {
      errors: body.errors.length > 0 ? [] : [{ code: 'X', message: 'Why.' }],
    }),
];

const changed = (change: object) => (events: Events) =>
  events.map((event) => ({ ...event, ...change }));

/** What is wrong with the events in the table. */
const WRONG_EVENTS: Readonly<Record<string, (right: Events, code: string) => Events>> = {
  'no event': () => [],
  'each event twice': (events) => [...events, ...events],
  'no last event': (events) => events.slice(0, -1),
  'no first event': (events) => events.slice(1),
  'the last event twice': (events) => [...events, ...events.slice(-1)],
  'the first event twice, and no other': ([event]) => (event ? [event, event] : []),
  'another user': changed({ userId: 'other' }),
  'another client': changed({ clientId: 'other' }),
  'another eventType': changed({ eventType: 'other' }),
  'another source': changed({ source: 'other' }),
  'another kind': changed({ kind: 'repeated' }),
  'another attribute': changed({ colour: 'blue' }),
  'another promo code': changed({ promoCode: 'OTHER' }),
  'an event all the same': (events, promoCode) => [...events, { promoCode }],
};

/** A request that a check sent, and its answer. */
interface Exchange {
  readonly init: RequestInit;
  readonly place: Place;
  readonly answer: Answer;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('each check sends what it says, and notices the mistakes of a service', async () => {
  const service = await newService({});
  await using cleanup = new Cleanup(() => expect.unreachable('everything must be removed'));
  const user = await createUser(service.outputs, service.outputsFile, cleanup);
  const client = await createClient(service.outputs, cleanup);
  const url = service.outputs.ApiUrl.replace(/\/$/, '');
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const realFetch = globalThis.fetch;
  const subjectWith = (promoEvents: () => Promise<Record<string, unknown>[]>): Subject => ({
    ...{ url, user, client: { ...client, promoEvents }, isUserBound: true },
  });

  /** Runs a check on the service, and keeps what was sent, answered and stored. */
  async function record({ run }: Check) {
    const exchanges: Exchange[] = [];
    let events: Events = [];
    // What is sent before another request is answered, is sent at once with it.
    let open = 0;
    let atOnce = 0;
    vi.stubGlobal('fetch', async (target: string, init: RequestInit) => {
      open += 1;
      atOnce = Math.max(atOnce, open);
      const index = exchanges.length;
      const sent = String(init.body ?? '');
      const place = { index, method: String(init.method), path: target.slice(url.length), sent };
      const exchange = { init, place, answer: { status: 0, body: {}, headers: {} } as Answer };
      exchanges.push(exchange);
      const response = await realFetch(target, init);
      const text = await response.text();
      const { status, headers } = response;
      Object.assign(exchange.answer, {
        status,
        body: JSON.parse(text),
        headers: Object.fromEntries(headers),
      });
      open -= 1;
      return new Response(text, { status, headers });
    });
    await run(
      subjectWith(async () => {
        events = await client.promoEvents();
        return [...events];
      }),
    );
    const codes = exchanges.map(({ place }) => codeIn(place.sent));
    return {
      exchanges,
      atOnce,
      events: events.filter(({ promoCode }) => codes.includes(String(promoCode))),
    };
  }

  /** Whether a check notices that a service gives wrong answers, or stores wrong events. */
  async function notices(
    { run }: Check,
    { exchanges, events }: Awaited<ReturnType<typeof record>>,
    wrongAnswer: WrongAnswer,
    wrongEvents = (right: Events, _: string): Events => right,
  ): Promise<boolean> {
    let index = 0;
    let code = '';
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      const { place, answer } = exchanges[Math.min(index++, exchanges.length - 1)] as Exchange;
      code = codeIn(String(init.body ?? '')) || code;
      const right = structuredClone(answer);
      const sent = String(init.body ?? '');
      const given = { ...right, ...wrongAnswer(right, { ...place, sent }) };
      const body = typeof given.body === 'string' ? given.body : JSON.stringify(given.body);
      return new Response(body, { status: given.status, headers: given.headers });
    });
    // The codes of each run are its own.
    const stored = () => events.map((event) => ({ ...event, promoCode: code }));
    return run(subjectWith(async () => [...wrongEvents(stored(), code)])).then(
      () => false,
      () => true,
    );
  }

  /** What is wrong in a request, compared with a good one. */
  function wrongIn({ init, place }: Exchange): string[] {
    const headers = Object.fromEntries(init.headers as [string, string][]);
    const [header, payload, signature] = String(headers.Authorization)
      .replace('Bearer ', '')
      .split('.');
    const [ownHeader, ownPayload, ownSignature] = user.idToken.split('.');
    const age = Date.now() - Date.parse(headers['Request-Date'] ?? '');
    const isJson = place.sent.startsWith('{"');
    const { clientId } = isJson ? JSON.parse(place.sent) : { clientId: client.clientId };
    const wrong: Record<string, boolean> = {
      method: place.method !== 'POST',
      path: !OPERATIONS.some(({ paths }) => paths.some(({ path }) => path === place.path)),
      'Content-Type': headers['Content-Type'] !== 'application/json',
      'Device-Id': !headers['Device-Id'],
      'App-Id': headers['App-Id'] !== client.appId,
      'Request-Date': !(Math.abs(age) < 60_000),
      'header of the token': header !== ownHeader,
      'claims of the token': payload !== ownPayload,
      'signature of the token': signature !== ownSignature,
      'length of the body': place.sent.length > 16_000,
      'JSON of the body': place.method === 'POST' && !isJson,
      clientId:
        place.method === 'POST' && place.path !== '/nothing' && clientId !== client.clientId,
    };
    return Object.keys(wrong).filter((name) => wrong[name]);
  }

  const lines: string[] = [];
  const noticed = new Set<string>();
  const names = CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const check of CHECKS) {
    const recorded = await record(check);
    const { exchanges, atOnce } = recorded;
    expect(exchanges.length).toBeGreaterThan(0);
    for (const { init } of exchanges) expect(init.redirect).toBe('manual');
    lines.push(check.name);
    lines.push(
      `  sends ${exchanges.map(({ place }) => `${place.method} ${place.path}`).join(', ')}`,
    );
    if (atOnce > 1) lines.push(`  ${atOnce} at once`);
    const wrong = [...new Set(exchanges.flatMap(wrongIn))];
    if (wrong.length > 0) lines.push(`  wrong in it: ${wrong.join(', ')}`);
    // Those of the other operations are the same.
    if (/^\/promoCode\/apply:/.test(check.name)) continue;
    const found: string[] = [];
    for (const [name, wrongAnswer] of Object.entries(WRONG_ANSWERS)) {
      if (await notices(check, recorded, wrongAnswer)) found.push(name);
    }
    for (const [name, wrongEvents] of Object.entries(WRONG_EVENTS)) {
      if (await notices(check, recorded, () => undefined, wrongEvents)) found.push(name);
    }
    for (const wrongAnswer of NEVER_RIGHT) {
      expect(await notices(check, recorded, wrongAnswer), check.name).toBe(true);
    }
    expect(await notices(check, recorded, () => undefined), check.name).toBe(false);
    for (const name of found) noticed.add(name);
    lines.push(...wrap(`notices ${found.join(', ')}`, 100, '  '));
  }
  expect(new Set(timeout.mock.calls.flat())).toEqual(new Set([30_000]));
  expect([...noticed].sort()).toEqual(
    [...Object.keys(WRONG_ANSWERS), ...Object.keys(WRONG_EVENTS)].sort(),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(TRANSCRIPTS, 'smoke/checks.txt'));
});

/** The promo code in a body. */
function codeIn(body: string): string {
  return /"promoCode":"([^"]*)"/.exec(body)?.[1] ?? '';
}

test('the client of the checks has each flag on and off', () => {
  // Otherwise a service that ignores one of them would not be noticed.
  for (const name of ['mandatory', 'allowMultiple', 'allowCopies', 'alpha', 'numbers']) {
    for (const value of [true, false]) {
      expect(JSON.stringify(getConfig.example.data())).toContain(`"${name}":${value}`);
    }
  }
});
