import { join } from 'node:path';
import {
  errorEnvelope,
  getConfig,
  HEADERS,
  headersOf,
  OPERATIONS,
  ServiceUnavailableError,
} from 'customer-data-api/operations';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CHECKS } from '../../smoke/checks.ts';
import { Cleanup } from '../../smoke/cleanup.ts';
import { bodyOf, type Subject } from '../../smoke/requests.ts';
import { createClient } from '../../smoke/test-client-record.ts';
import { createUser } from '../../smoke/user.ts';
import { TRANSCRIPTS } from '../support/transcripts/desk.ts';
import { newService } from '../support/transcripts/shared-service.ts';

/* The mistakes that a service can make, and the checks of smoke that notice each of them. */

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a body to be made wrong
type Answer = { status: number; headers: Record<string, string>; body: any };
type Events = readonly Readonly<Record<string, unknown>>[];
/** The requests for a promo code. */
type Code = { sent: number; open: number; isAtOnce: boolean; isRefused: boolean };

/** Makes a request good, as far as the service does not check it. */
type Accept = (sent: Sent, good: Sent) => Partial<Sent> | false;
/** Changes an answer: the first one to requests for a promo code, the second one, and so on. */
type AnswerWith = (answer: Answer, number: number, sent: Sent, good: Sent) => unknown;
/** Changes what is in the table. */
type Store = (events: Events, codes: ReadonlyMap<unknown, Code>) => Events;

const valueIn = (body: string, name: string) => new RegExp(`"${name}":"([^"]*)"`).exec(body)?.[1];
const any =
  (name: string): Accept =>
  ({ body }, good) =>
    body !== '{' && valueIn(body, name) !== valueIn(good.body, name) && { body: good.body };
/** Accepts a token by its parts: header, claims and signature. */
const token =
  (isMeant: (parts: string[], good: string[], claims: Answer['body']) => boolean) =>
  ({ headers }: Sent, { headers: { Authorization = '' } }: Sent) => {
    const [parts, good] = [headers.Authorization ?? '', Authorization].map((one) => one.split('.'));
    const claims = Buffer.from(parts?.[1] ?? '', 'base64url').toString();
    const isAccepted = isMeant(parts ?? [], good ?? [], JSON.parse(claims || '{}'));
    return isAccepted && { headers: { ...headers, Authorization } };
  };

const ACCEPTS: Readonly<Record<string, Accept>> = {
  ...Object.fromEntries(
    Object.values(HEADERS).map(({ name }): [string, Accept] => [
      `any ${name}, or none`,
      ({ headers }, good) => ({ headers: { ...headers, [name]: good.headers[name] ?? '' } }),
    ]),
  ),
  'a token with any signature, or none': token(([, claims], [, good]) => claims === good),
  'a token with other claims than those that were signed': token(
    ([, , sent], [, , good]) => sent === good,
  ),
  'an expired token': token((_, __, { exp }) => exp < Date.now() / 1000),
  'an access token': token((_, __, { token_use: use }) => use === 'access'),
  'any clientId': any('clientId'),
  'any userId': any('userId'),
  'any source': ({ body }, good) => body.includes('"source":7') && { body: good.body },
  'what is not JSON': ({ body }, good) => body === '{' && { body: good.body },
  'a body of any length': ({ body }, good) => body.length > 16_000 && { body: good.body },
  'the method GET': ({ method }, good) => method === 'GET' && good,
  'the method PUT': ({ method }, good) => method === 'PUT' && good,
  'any path': (_, { path }) => ({ path }),
};

/** Changes a refusal, if it has the status. */
const inErrors =
  (change: object, wanted?: number): AnswerWith =>
  ({ status, body: { data, errors } }) => {
    if (errors.length === 0 || status !== (wanted ?? status)) return;
    for (const one of [data, ...errors]) Object.assign(one, change);
  };

const ANSWERS: Readonly<Record<string, AnswerWith>> = {
  'a page': (answer) => Object.assign(answer, { body: '<html>' }),
  'an unknown property': ({ body }) => Object.assign(body, { colour: 1 }),
  'an unknown status': (answer) => Object.assign(answer, { status: 418 }),
  'without a date': ({ headers }) => delete headers.date,
  'errors with a success, or none with a refusal': ({ body: { errors } }) =>
    errors.length > 0 ? errors.splice(0) : errors.push({ code: 'X', message: 'Why.' }),
  'with a failure': (answer) =>
    Object.assign(answer, { status: 503, body: errorEnvelope(new ServiceUnavailableError()) }),
  'each 400 as an invalid body': inErrors({ code: 'ValidationException' }, 400),
  'each 400 as an expired token': inErrors({ code: 'NotAuthorizedException' }, 400),
  'without a reason': inErrors({ message: 'For some reason.' }),
  'that a retry would help': ({ body: { errors, data } }) =>
    errors.length > 0 && Object.assign(data, { retryable: true }),
  'the first problem only': ({ body: { errors } }) => errors.splice(1),
  'one problem more': ({ body: { errors } }) =>
    errors.push(...errors.slice(0, 1).map((one: object) => ({ ...one, pointer: '/x' }))),
  'without warnings': ({ body: { warnings } }) => warnings.splice(0),
  'another warning': ({ body: { warnings } }) => warnings.fill('1 value was removed: size.'),
  'fields in another order': ({ body: { data } }) => data.fields?.reverse(),
  'without Allow': ({ headers }) => delete headers.allow,
  'that there is no such client': (answer, number, sent, good) =>
    valueIn(sent.body, 'clientId') !== valueIn(good.body, 'clientId') &&
    inErrors({ message: 'There is no such client.' }, 401)(answer, number, sent, good),
  ...Object.fromEntries(
    [1, 2, 3, 6].map((wanted): [string, AnswerWith] => [
      `that request ${wanted} for a code is queued`,
      ({ status, body: { notices } }, number) =>
        status === 200 && number === wanted && notices.push('It waits.'),
    ]),
  ),
};

const isRepeated = ({ kind }: Events[number]) => kind === 'repeated';
const twice =
  (isMeant: (event: Events[number], code?: Code) => unknown): Store =>
  (events, codes) =>
    events.flatMap((one) => (isMeant(one, codes.get(one.promoCode)) ? [one, one] : [one]));
const changed = (change: object) => (events: Events) =>
  events.map((event) => ({ ...event, ...change }));

const STORES: Readonly<Record<string, Store>> = {
  nothing: () => [],
  'each event twice': twice(() => true),
  'twice what is sent at once': twice((_, code) => code?.isAtOnce),
  'each repetition twice': twice(isRepeated),
  'no repetition': (events) => events.filter((event) => !isRepeated(event)),
  'what it refuses': (events, codes) => {
    const refused = [...codes].filter(([, { isRefused }]) => isRefused);
    return [...events, ...refused.map(([promoCode]) => ({ promoCode }))];
  },
  'another source': changed({ source: 'other' }),
  'another attribute': changed({ colour: 'blue' }),
};

/** Those of the other operation are made of the same parts. */
const TESTED = CHECKS.filter(({ name }) => !name.startsWith('/promoCode/apply:'));
/** The checks that apply codes: no other one reads the table. */
const OF_CODES = TESTED.filter(({ name }) => !name.startsWith('/'));

test('each check notices the mistakes of a service that it is there for', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const { outputs, outputsFile } = await newService({});
  await using cleanup = new Cleanup(() => expect.unreachable('everything must be removed'));
  const user = await createUser(outputs, outputsFile, cleanup);
  const client = await createClient(outputs, cleanup);
  const subject: Subject = { url: outputs.ApiUrl, user, client, isUserBound: true };
  const { fetch } = globalThis;
  const send = async ({ method, path, headers, body }: Sent): Promise<Answer> => {
    const response = await fetch(`${subject.url}${path}`, {
      ...{ method, headers: Object.entries(headers) },
      ...(method === 'POST' && { body: Buffer.from(body) }),
    });
    const { status } = response;
    return { status, headers: Object.fromEntries(response.headers), body: await response.json() };
  };

  /** Returns the names of the checks that fail with a service that makes a mistake. */
  async function failing(accept?: Accept, answerWith?: AnswerWith, store?: Store) {
    const codes = new Map<unknown, Code>();
    vi.stubGlobal('fetch', async (target: string, init: RequestInit) => {
      expect(init).toMatchObject({ redirect: 'manual', signal: expect.any(AbortSignal) });
      const sent: Sent = {
        ...{ method: String(init.method), path: target.slice(subject.url.length) },
        headers: Object.fromEntries(init.headers as [string, string][]),
        body: String(init.body ?? ''),
      };
      const operation = OPERATIONS.find(({ path }) => path === sent.path) ?? getConfig;
      const requestDate = new Date().toISOString();
      const { idToken } = user;
      const good: Sent = {
        ...{ method: 'POST', path: operation.path },
        headers: headersOf({ idToken, appId: client.appId, deviceId: 'device', requestDate }),
        body: JSON.stringify(bodyOf(operation, subject)),
      };
      const promoCode = valueIn(sent.body, 'promoCode');
      const code = codes.get(promoCode) ?? { sent: 0, open: 0, isAtOnce: false, isRefused: false };
      codes.set(promoCode, code);
      const number = ++code.sent;
      code.isAtOnce ||= ++code.open > 1;
      const answer = await send({ ...sent, ...accept?.(sent, good) });
      code.open -= 1;
      code.isRefused ||= answer.status !== 200;
      answerWith?.(answer, number, sent, good);
      const { body } = answer;
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), answer);
    });
    const promoEvents = async () => {
      const events = await client.promoEvents();
      return [...(store?.(events, codes) ?? events)];
    };
    const results = (store ? OF_CODES : TESTED).map(({ name, run }) =>
      run({ ...subject, client: { ...client, promoEvents } }).then(
        () => [],
        () => name,
      ),
    );
    return (await Promise.all(results)).flat();
  }

  expect(await failing()).toEqual([]);
  const lines: string[] = [];
  const noticing = new Set<string>();
  const note = (mistake: string, found: string[]) => {
    expect(found, mistake).not.toEqual([]);
    const isNoticedByAll = found.length === TESTED.length;
    const checks = isNoticedByAll ? ['every check'] : found;
    lines.push(`If the service ${mistake}:`, ...checks.map((check) => `  ${check}`));
    if (!isNoticedByAll) for (const check of found) noticing.add(check);
  };
  for (const [name, one] of Object.entries(ACCEPTS)) note(`accepts ${name}`, await failing(one));
  for (const [name, one] of Object.entries(ANSWERS))
    note(`answers ${name}`, await failing(undefined, one));
  for (const [name, one] of Object.entries(STORES))
    note(`stores ${name}`, await failing(undefined, undefined, one));
  expect(TESTED.filter(({ name }) => !noticing.has(name))).toEqual([]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(TRANSCRIPTS, 'smoke/checks.txt'));
});

test('the client of the checks has each flag on and off', () => {
  // Otherwise a service that ignores one of them would not be noticed.
  for (const name of ['mandatory', 'allowMultiple', 'allowCopies', 'alpha', 'numbers']) {
    for (const value of [true, false]) {
      expect(JSON.stringify(getConfig.example.data())).toContain(`"${name}":${value}`);
    }
  }
});
