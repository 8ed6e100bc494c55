import middy, { type Request } from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { envelope, type WithRemarks } from '../../../../functions/api/envelope.ts';
import type { ApiError } from '../../../../functions/api/errors.ts';
import { validateBody, type WithRequest } from '../../../../functions/api/validate-body.ts';

type Event = APIGatewayProxyEvent & WithRemarks & WithRequest<{ clientId: string }>;

/* Bodies that the gateway passes on in base64. The deployed API never does, so no HTTP test covers them. */

const answer = async (body: string | null) => {
  const handler = middy<APIGatewayProxyEvent>()
    .use(envelope())
    .use(validateBody(v.object({ clientId: v.string() })))
    .handler(async ({ request }) => request);
  const event = { body, isBase64Encoded: true, warnings: [] } as unknown as Parameters<
    typeof handler
  >[0];
  const { response } = await handler(event, {} as Context);
  const { statusCode, body: answered } = response;
  return { statusCode, data: JSON.parse(answered).data };
};

const base64 = (text: string | number[]) => Buffer.from(text as string).toString('base64');

test('a body in base64 is decoded', async () => {
  expect(await answer(base64('{"clientId":"é"}'))).toEqual({
    statusCode: 200,
    data: { clientId: 'é' },
  });
});

test.each([
  ['not base64', '{"clientId":"demo"}', 400],
  [
    'base64 of a string that is not UTF-8',
    base64([...Buffer.from('{"clientId":"é"}', 'latin1')]),
    400,
  ],
  ['base64 of an object after a byte order mark', base64('\uFEFF{"clientId":"demo"}'), 400],
  ['nothing', null, 400],
  ['17 KB', base64(' '.repeat(17 * 1024)), 413],
])('a body that is said to be base64 and is %s', async (_, body, status) => {
  expect((await answer(body)).statusCode).toBe(status);
});

/** The event after the middleware, with a body as the gateway sends it. */
function validate(body: string | null) {
  const schema = v.object({
    clientId: v.string('must be a string'),
    'a/b~c': v.optional(v.string('must be a string')),
  });
  const event = { body, isBase64Encoded: false, warnings: [] as string[] } as unknown as Event;
  validateBody(schema).before?.({ event } as Request<Event>);
  return event;
}

/** The status and the problems of a body that is refused. */
function refused(body: string | null) {
  try {
    validate(body);
  } catch (error) {
    const { statusCode, problems } = error as ApiError;
    return [statusCode, problems];
  }
  return undefined;
}

test('a body is read as its schema says', () => {
  const { request, warnings } = validate('{"clientId":"é"}');
  expect(request).toEqual({ clientId: 'é' });
  expect(warnings).toEqual([]);
});

test.each([
  [{ more: 1 }, '1 value was removed from the request data: more.'],
  [{ more: null, toString: 1 }, '2 values were removed from the request data: more, toString.'],
])('of %j, the warning says how many values were removed, and their names', (more, warning) => {
  for (const body of [
    { clientId: 'demo', ...more },
    { ...more, clientId: 'demo' },
  ]) {
    const { request, warnings } = validate(JSON.stringify(body));
    expect(request).toEqual({ clientId: 'demo' });
    expect(warnings).toEqual([warning]);
  }
});

test.each([
  ['nothing', null, 'is empty'],
  ['an empty string', '', 'is empty'],
  ['text', 'clientId=demo', 'is not JSON'],
  ['a part of an object', '{"clientId":"demo"', 'is not JSON'],
  ['an object and more', '{"clientId":"demo"}}', 'is not JSON'],
  ['a list', '[]', 'is not a JSON object'],
  ['null', 'null', 'is not a JSON object'],
  ['a string', '"demo"', 'is not a JSON object'],
  ['a number', '7', 'is not a JSON object'],
])('%s is refused, and the error says what to send', (_, body, problem) => {
  const message = `The request body ${problem}; send a JSON object with clientId, a/b~c.`;
  expect(refused(body)).toEqual([400, [{ message, pointer: '' }]]);
});

test('every problem is named with its property', () => {
  expect(refused('{"a/b~c":7}')).toEqual([
    400,
    [
      { message: 'clientId is required.', pointer: '/clientId' },
      { message: 'a/b~c must be a string.', pointer: '/a~1b~0c' },
    ],
  ]);
  expect(refused('{"clientId":null,"a/b~c":""}')).toEqual([
    400,
    [{ message: 'clientId must be a string.', pointer: '/clientId' }],
  ]);
});

test('a body may have 16 KB in UTF-8', () => {
  const bodyOf = (bytes: number) => {
    const empty = '{"clientId":""}';
    const rest = bytes - empty.length;
    return empty.replace('""', `"${'é'.repeat(Math.floor(rest / 2))}${'x'.repeat(rest % 2)}"`);
  };
  expect(refused(bodyOf(16_384))).toBeUndefined();
  const message = 'The request body has 16385 bytes; at most 16384 are allowed.';
  expect(refused(bodyOf(16_385))).toEqual([413, [{ message }]]);
});

describe('a name that objects inherit', () => {
  test.each(['__proto__', 'constructor', 'prototype'])('%s is refused anywhere', (name) => {
    for (const [body, pointer] of [
      [`{"clientId":"demo","${name}":1}`, `/${name}`],
      [`{"${name}":{},"clientId":"demo"}`, `/${name}`],
      [`{"a":{"b":[null,{"c":1,"${name}":null}]},"d":{}}`, `/a/b/1/${name}`],
      [`{"a":{},"~1/":{"${name}":1}}`, `/~01~1/${name}`],
    ] as const) {
      expect(refused(body)).toEqual([
        400,
        [{ message: 'This property name is not allowed.', pointer }],
      ]);
    }
  });

  test('may be a value, or a part of a name', () => {
    const body = { clientId: 'constructor', prototypes: ['__proto__'] };
    expect(validate(JSON.stringify(body)).request).toEqual({ clientId: 'constructor' });
  });

  test('is found below any number of brackets', () => {
    const depth = 8000;
    const body = `{"clientId":"demo","a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(validate(body).request).toEqual({ clientId: 'demo' });
  });
});
