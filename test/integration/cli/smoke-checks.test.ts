import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CHECKS } from '../../../cli/smoke/checks.ts';
import { Cleanup } from '../../../cli/smoke/cleanup.ts';
import { createClient } from '../../../cli/smoke/client.ts';
import type { Subject } from '../../../cli/smoke/requests.ts';
import { createUser } from '../../../cli/smoke/user.ts';
import { MAX_BODY_BYTES } from '../../../functions/api/validate-body.ts';
import { getConfig } from '../../../functions/get-config/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { close, listen } from '../../../local/listen.ts';
import { type Service, startService } from '../../support/service.ts';

/* Each check passes on the unchanged service, and fails on a service that does one thing wrong. */

interface Response {
  readonly status: number;
  readonly headers?: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a body to be made wrong
  readonly body: any;
}

type Events = Record<string, unknown>[];

/** One thing that a service does wrong: its response, or what it stores in the table. */
interface Wrong {
  readonly answer?: (right: Response, request: Request) => Response;
  readonly events?: (right: Events) => Events;
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const RETRYABLE = [429, 500, 503];

function refusal(status: number, code: string, message = 'Some reason.'): Response {
  const retryable = RETRYABLE.includes(status);
  const data = { message, code, statusCode: status, retryable };
  const envelope = { errors: [{ code, message }], warnings: [], notices: [], data };
  return { status, body: status === 401 ? { ...envelope, message: 'Unauthorized' } : envelope };
}

const answers = (response: Response): Wrong => ({ answer: () => response });
const changes = (change: (body: Response['body']) => void): Wrong => ({
  answer: ({ body, ...others }) => {
    const copy = structuredClone(body);
    change(copy);
    return { ...others, body: copy };
  },
});
const stores = (events: NonNullable<Wrong['events']>): Wrong => ({ events });

const UNAUTHORIZED = refusal(401, 'Unauthorized');
const INVALID = refusal(400, 'ValidationException');
const UNAVAILABLE = refusal(503, 'ServiceUnavailableException');
const FORBIDDEN = refusal(403, 'ForbiddenException');
const success = (data: unknown): Response => ({
  status: 200,
  body: { errors: [], warnings: [], notices: [], data },
});
/** The response of the operation to a valid request, or that of getConfig for a path without an operation. */
const ACCEPTED: Wrong = {
  answer: (_, { path }) => {
    const operation = OPERATIONS.find(({ paths }) => paths.some((one) => one.path === path));
    return success((operation ?? getConfig).example.data());
  },
};
/** Does only the n-th response wrong, counted from 1. */
const nth = (n: number, { answer }: Wrong): Wrong => ({
  answer: (right, request) => (responses === n ? (answer?.(right, request) ?? right) : right),
});
const QUEUED: Wrong = changes((body) => body.notices.push('The promo code is being processed.'));

/** Stores the event of the last request, although it was refused. */
const KEPT = stores(() => [{ promoCode: JSON.parse(lastBody).promoCode }]);

const WRONG_CONFIGS: Readonly<Record<string, Wrong>> = {
  'a refusal': answers(UNAUTHORIZED),
  'no fields': changes(({ data }) => data.fields.splice(0)),
  'a missing field': changes(({ data }) => data.fields.pop()),
  'another field name': changes(({ data }) => {
    data.fields[1].fieldName = 'Else';
  }),
  'the fields in another order': changes(({ data }) => data.fields.reverse()),
  'another lastFieldId': changes(({ data }) => data.lastFieldId++),
};

/** Wrong responses that a check of a refusal must notice. */
const NOT_UNAUTHORIZED: Readonly<Record<string, Wrong>> = {
  'a success': ACCEPTED,
  'another refusal': answers(INVALID),
  'a failure': answers(UNAVAILABLE),
  'another status with the right code': answers(refusal(400, 'Unauthorized')),
  'another code with the right status': answers(refusal(401, 'ForbiddenException')),
};

/** By the name of the check without its path or header, because each operation and header has the same checks. */
const COUNTEREXAMPLES: Readonly<Record<string, Readonly<Record<string, Wrong>>>> = {
  '… returns the fields of the client': WRONG_CONFIGS,
  'an unknown property is removed, with a warning that names it': {
    ...WRONG_CONFIGS,
    'no warning': changes((body) => body.warnings.splice(0)),
    'a warning that names another one': changes((body) => {
      body.warnings = ['Removed 1 unknown value: size.'];
    }),
  },
  'promoCode/apply applies a code, and the event is in the table': {
    'a refusal': answers(FORBIDDEN),
    'a failure': answers(UNAVAILABLE),
    'an event in the queue': QUEUED,
    'no event': stores(() => []),
    'the event twice': stores((events) => [...events, ...events]),
    'the event of another user': stores(([event]) => [{ ...event, userId: 'other' }]),
    'the event of another client': stores(([event]) => [{ ...event, clientId: 'other' }]),
    'another eventType': stores(([event]) => [{ ...event, eventType: 'other' }]),
    'another source': stores(([event]) => [{ ...event, source: 'other' }]),
    'another kind': stores(([event]) => [{ ...event, kind: 'repeated' }]),
    'an additional attribute': stores(([event]) => [{ ...event, colour: 'blue' }]),
    'another code': stores(([event]) => [{ ...event, promoCode: 'OTHER' }]),
  },
  'the same request, sent five times at once and once more, is one event': {
    'a refusal': answers(FORBIDDEN),
    'an event in the queue': QUEUED,
    'a refusal of one of five': nth(3, answers(FORBIDDEN)),
    'a refusal of the last one': nth(6, answers(FORBIDDEN)),
    'one of five in the queue': nth(5, QUEUED),
    'no event': stores(() => []),
    'two events': stores((events) => [...events, ...events]),
  },
  'a later request for the same code is recorded as a repetition': {
    'a refusal': answers(FORBIDDEN),
    'an application in the queue': nth(1, QUEUED),
    'a repetition in the queue': nth(2, QUEUED),
    'another repetition in the queue': nth(3, QUEUED),
    'no repetition': stores((events) => events.slice(0, 1)),
    'no application': stores((events) => events.slice(1)),
    'the repetition twice': stores((events) => [...events, ...events.slice(-1)]),
    'two applications': stores(([event]) => [{ ...event }, { ...event }]),
  },
  'a request without … is refused, and the error names the header': {
    ...NOT_UNAUTHORIZED,
    'a refusal that names no header': answers(UNAUTHORIZED),
    'a refusal that names another header': answers(
      refusal(401, 'Unauthorized', 'The header X-Other is missing.'),
    ),
  },
  'a Request-Date of last year is refused': NOT_UNAUTHORIZED,
  'an expired token is refused with the response that apps expect': {
    'a success': ACCEPTED,
    'another refusal': answers(UNAUTHORIZED),
    'another code': answers(refusal(400, 'ValidationException', 'Access Token has expired')),
    'another message': answers(refusal(400, 'NotAuthorizedException', 'Your token is old.')),
    'a retry': changes(({ data }) => {
      data.retryable = true;
    }),
  },
  'a token signed with another key is refused': NOT_UNAUTHORIZED,
  'a token whose claims were changed is refused': NOT_UNAUTHORIZED,
  'a token without a signature is refused': NOT_UNAUTHORIZED,
  'an access token in place of the ID token is refused': NOT_UNAUTHORIZED,
  'a wrong App-Id is refused': NOT_UNAUTHORIZED,
  'an unknown clientId is refused with the same answer as a wrong App-Id': {
    ...NOT_UNAUTHORIZED,
    'a refusal that distinguishes the two': {
      answer: (right, { body }) =>
        body.includes(subject.client.clientId)
          ? right
          : refusal(401, 'Unauthorized', 'There is no such client.'),
    },
  },
  "another user's promo code is refused, and not stored": {
    'a success': ACCEPTED,
    'another refusal': answers(UNAUTHORIZED),
    'another code': answers(refusal(403, 'ThrottlingException')),
    'a refusal, and the event': KEPT,
  },
  'one response reports every problem of a body, and nothing is stored': {
    'a success': ACCEPTED,
    'another refusal': answers(UNAUTHORIZED),
    'another status with the right problems': {
      answer: ({ body }) => {
        const { data } = refusal(500, 'ValidationException').body;
        return { status: 500, body: { ...body, data } };
      },
    },
    'the first problem only': changes((body) => body.errors.splice(1)),
    'the last problem only': changes((body) => body.errors.splice(0, 1)),
    'an additional problem': changes((body) =>
      body.errors.push({ ...body.errors[0], pointer: '/clientId' }),
    ),
    'a refusal, and the event': KEPT,
  },
  'a body that is not JSON is refused': {
    'another status with the right code': answers(refusal(500, 'ValidationException')),
    'a success': ACCEPTED,
    'another refusal': answers(UNAUTHORIZED),
  },
  'a body of more than 16 KB is refused': {
    'another status with the right code': answers(refusal(500, 'PayloadTooLargeException')),
    'a success': ACCEPTED,
    'another refusal': answers(INVALID),
  },
  'an unknown path is answered in the envelope': {
    'another refusal': answers(INVALID),
  },
  'another method is refused, and the response names the right one': {
    'a success': ACCEPTED,
    'another refusal': answers(INVALID),
    'a response without Allow': answers(refusal(405, 'MethodNotAllowedException')),
    'another status for one method': {
      answer: (right, { method }) => ({
        ...(method === 'PUT' ? INVALID : right),
        headers: { Allow: 'POST' },
      }),
    },
  },
};

/** The methods of the requests that a check sends, if it is not one POST. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  'the same request, sent five times at once and once more, is one event': Array(6).fill('POST'),
  'a later request for the same code is recorded as a repetition': ['POST', 'POST', 'POST'],
  'an unknown clientId is refused with the same answer as a wrong App-Id': ['POST', 'POST'],
  'another method is refused, and the response names the right one': ['GET', 'PUT'],
};

const kindOf = (name: string) =>
  name
    .replace(/^\/\S+: /, '')
    .replace(/^\/\S+/, '…')
    .replace(/(?<=a request without )\S+/, '…');

let service: Service;
let proxy: Server;
let wrong: Wrong = {};
let requests: Request[] = [];
/** How many responses were given. */
let responses = 0;
let lastBody = '';
let subject: Subject;
const created = new Cleanup(() => expect.unreachable('everything must be removed'));

beforeAll(async () => {
  service = await startService();
  proxy = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  const url = await listen(proxy);
  const user = await createUser(service.outputs, service.outputsFile, created);
  const client = await createClient(service.outputs, created);
  const promoEvents = async () => {
    const events = await client.promoEvents();
    if (!wrong.events) return events;
    const { promoCode } = JSON.parse(lastBody);
    return wrong.events(events.filter((event) => event.promoCode === promoCode));
  };
  subject = { url, user, client: { ...client, promoEvents }, isUserBound: true };
});
afterEach(() => {
  wrong = {};
  requests = [];
  responses = 0;
});
afterAll(async () => {
  await created.disposeAsync();
  await close(proxy);
  await service.stop();
});

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = incoming;
  const body = await buffer(incoming);
  lastBody = body.toString();
  const request = { method, path: url, headers, body: lastBody };
  requests.push(request);
  const sent = Object.entries(headers).filter(
    ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
  );
  const right = await fetch(`${service.outputs.ApiUrl.replace(/\/$/, '')}${url}`, {
    method,
    headers: sent as [string, string][],
    ...(method === 'POST' && { body }),
  });
  const allow = right.headers.get('allow');
  const response = {
    status: right.status,
    ...(allow && { headers: { Allow: allow } }),
    body: await right.json(),
  };
  responses++;
  const given = wrong.answer?.(response, request) ?? response;
  outgoing
    .writeHead(given.status, { 'Content-Type': 'application/json', ...given.headers })
    .end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
}

test('every check has counterexamples, and every counterexample has a check', () => {
  const kinds = new Set(CHECKS.map(({ name }) => kindOf(name)));
  expect(Object.keys(COUNTEREXAMPLES).sort()).toEqual([...kinds].sort());
  for (const examples of Object.values(COUNTEREXAMPLES)) {
    expect(Object.keys(examples)).not.toEqual([]);
  }
});

describe.each(CHECKS.map((check) => [check.name, check] as const))('%s', (name, check) => {
  test('passes on the unchanged service', async () => {
    expect(check.skipped?.(subject)).toBeUndefined();
    await check.run(subject);
    expect(requests.map(({ method }) => method)).toEqual(METHODS[kindOf(name)] ?? ['POST']);
    // The path is the one that its name starts with, if it does.
    const [path] = /^\/[^\s:]+/.exec(name) ?? [];
    if (path !== undefined) for (const request of requests) expect(request.path).toBe(path);
  });

  test.each(Object.entries(COUNTEREXAMPLES[kindOf(name)] ?? {}))(
    'fails on %s',
    async (_, counterexample) => {
      wrong = counterexample;
      // Because of its own expectation, not because the document does not describe the response.
      await expect(check.run(subject)).rejects.toThrow(/^(?!.*Response to request )/s);
      expect(requests).not.toEqual([]);
    },
  );

  test.each<[string, Wrong]>([
    ['what is not JSON', { answer: ({ status }) => ({ status, body: '<html>' }) }],
    ['a property that is not described', changes((body) => Object.assign(body, { colour: 1 }))],
    ['a status that is not described', { answer: ({ body }) => ({ status: 418, body }) }],
    [
      'errors that contradict the status',
      changes((body) => {
        body.errors = body.errors.length > 0 ? [] : refusal(400, 'ValidationException').body.errors;
      }),
    ],
  ])('fails on %s', async (_, counterexample) => {
    wrong = counterexample;
    await expect(check.run(subject)).rejects.toThrow(/Response to request /);
  });
});

const APPLIES = 'promoCode/apply applies a code, and the event is in the table';
const ONCE = 'the same request, sent five times at once and once more, is one event';
const TWICE = stores((events) => [...events, ...events]);

/** What operators read about a check that fails. */
const REASONS: readonly [check: string, reason: RegExp, Wrong][] = [
  [
    'an unknown property is removed, with a warning that names it',
    /^the warnings do not name it$/m,
    changes((body) => body.warnings.splice(0)),
  ],
  [APPLIES, /^there is no event in the table$/m, stores(() => [])],
  [APPLIES, /^there is more than one event in the table$/m, TWICE],
  [APPLIES, /^the table did not store it; it waits in the queue$/m, QUEUED],
  [APPLIES, /^the response is 403 \{.*"code":"ForbiddenException"/, answers(FORBIDDEN)],
  [ONCE, /^there are 2 events in the table$/m, TWICE],
  ["another user's promo code is refused, and not stored", /^it is in the table$/m, KEPT],
  [
    'one response reports every problem of a body, and nothing is stored',
    /^it is in the table$/m,
    KEPT,
  ],
  [
    'a request without … is refused, and the error names the header',
    /^the message does not name it: Some reason\.$/m,
    answers(UNAUTHORIZED),
  ],
  [
    'another method is refused, and the response names the right one',
    /^GET: the header Allow is wrong$/m,
    answers(refusal(405, 'MethodNotAllowedException')),
  ],
];

test.each(REASONS)(
  'the check "%s" says why it failed: %s',
  async (kind, reason, counterexample) => {
    wrong = counterexample;
    const check = CHECKS.find(({ name }) => kindOf(name) === kind);
    await expect(check?.run(subject)).rejects.toThrow(reason);
  },
);

/** What is right about each part of a good request. */
const RIGHT_PARTS: Readonly<Record<string, (value: string) => boolean>> = {
  authorization: (value) => value === `Bearer ${subject.user.idToken}`,
  'app-id': (value) => value === subject.client.appId,
  'request-date': (value) => Math.abs(Date.now() - Date.parse(value)) < 60_000,
  body: (value) =>
    JSON.parse(value).clientId === subject.client.clientId && value.length < MAX_BODY_BYTES,
};

const tokenOf = (value: string) => value.replace('Bearer ', '').split('.');
const own = () => tokenOf(subject.user.idToken);
const decoded = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());
const DAY_MS = 24 * 60 * 60 * 1000;

/** The part of its request that a check makes wrong, and how: otherwise the service could refuse it for another reason. */
const WRONG_PARTS: Readonly<Record<string, readonly [string, (value: string) => boolean]>> = {
  'a Request-Date of last year is refused': [
    'request-date',
    (value) => (Date.now() - Date.parse(value)) / DAY_MS > 365,
  ],
  'a token signed with another key is refused': [
    'authorization',
    (value) => {
      const [header, payload, signature = ''] = tokenOf(value);
      const isOwn = header === own()[0] && payload === own()[1];
      return isOwn && Buffer.from(signature, 'base64url').length === 256;
    },
  ],
  'a token whose claims were changed is refused': [
    'authorization',
    (value) => {
      const [header, payload, signature] = tokenOf(value);
      const isOwn = header === own()[0] && signature === own()[2];
      return isOwn && decoded(payload).exp !== decoded(own()[1]).exp;
    },
  ],
  'a token without a signature is refused': [
    'authorization',
    (value) => {
      const [header, payload, signature] = tokenOf(value);
      return decoded(header).alg === 'none' && payload === own()[1] && signature === '';
    },
  ],
  'an access token in place of the ID token is refused': [
    'authorization',
    (value) => value === `Bearer ${subject.user.accessToken}`,
  ],
  'a wrong App-Id is refused': ['app-id', (value) => value.length === subject.client.appId.length],
  'an unknown clientId is refused with the same answer as a wrong App-Id': [
    'body',
    (value) => JSON.parse(value).clientId.startsWith('smoke-'),
  ],
  'a body that is not JSON is refused': ['body', (value) => value === '{'],
  'a body of more than 16 KB is refused': [
    'body',
    (value) =>
      JSON.parse(value).clientId === subject.client.clientId && value.length > MAX_BODY_BYTES,
  ],
};

test.each(
  CHECKS.flatMap((check) => {
    const wrongPart = WRONG_PARTS[kindOf(check.name)];
    return wrongPart ? [[check.name, check, ...wrongPart] as const] : [];
  }),
)('%s: nothing else is wrong with its request', async (_, check, wrongPart, isWrong) => {
  await check.run(subject);
  const [request] = requests;
  const values: Readonly<Record<string, unknown>> = { ...request?.headers, body: request?.body };
  for (const [part, isRight] of Object.entries(RIGHT_PARTS)) {
    const value = String(values[part]);
    const isExpected = part === wrongPart ? isWrong(value) : isRight(value);
    expect(isExpected, `${part}: ${value.slice(0, 100)}`).toBe(true);
  }
});
