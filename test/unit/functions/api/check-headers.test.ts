import type { Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { checkHeaders, type WithRequestHeaders } from '../../../../functions/api/check-headers.ts';
import { headersOf } from '../../../../functions/api/request-headers.ts';

type Event = APIGatewayProxyEvent & WithRequestHeaders;
type Header = [name: string, value: string];

const { before } = checkHeaders(24 * 60 * 60);

const NOW = new Date().toISOString();
const VALUES = {
  idToken: 'a.b.c',
  appId: 'demo-app-key',
  deviceId: '38400000-8cf0-11bd-b23e-10b96e40000d',
  requestDate: NOW,
};
const HEADERS: Header[] = Object.entries(headersOf(VALUES));

/** A name, each letter in upper or lower case. */
function spellingsOf(name: string) {
  const letters = [...name].map((letter) =>
    fc.constantFrom(letter.toLowerCase(), letter.toUpperCase()),
  );
  return fc.tuple(...letters).map((spelled) => spelled.join(''));
}

function check(headers: Header[]): Event {
  const multiValueHeaders = Object.fromEntries(headers.map(([name, value]) => [name, [value]]));
  const event = { multiValueHeaders } as unknown as Event;
  void before?.({ event } as Request<Event>);
  return event;
}

test('names are case-insensitive', () => {
  const spelled = HEADERS.map(([name, value]) => fc.tuple(spellingsOf(name), fc.constant(value)));
  fc.assert(
    fc.property(fc.tuple(...spelled), (headers) => {
      expect(check(headers).requestHeaders).toEqual(VALUES);
    }),
  );
});

test('a header in two spellings counts as sent twice', () => {
  const repeated = HEADERS.map(([name, value]) =>
    fc.tuple(fc.constant(name), spellingsOf(name), fc.constant(value)),
  );
  fc.assert(
    fc.property(fc.oneof(...repeated), ([name, spelling, value]) => {
      fc.pre(spelling !== name);
      const message = `The header ${name} is malformed: it must be sent once.`;
      expect(() => check([...HEADERS, [spelling, value]])).toThrow(
        expect.objectContaining({ statusCode: 401, problems: [{ message, header: name }] }),
      );
    }),
  );
});

const DAY_MS = 24 * 60 * 60 * 1000;

describe('Request-Date', () => {
  const checkAt = (distanceMs: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOW) - distanceMs });
    try {
      return check(HEADERS).requestHeaders.requestDate;
    } finally {
      vi.useRealTimers();
    }
  };

  test.each([-DAY_MS, 0, DAY_MS])('may be %i ms from the time of the server', (distance) => {
    expect(checkAt(distance)).toBe(NOW);
  });

  test.each([-DAY_MS - 1, DAY_MS + 1])('must not be %i ms from it', (distance) => {
    const message =
      'The header Request-Date is malformed: it must be within 86400 seconds of the time of the server.';
    const problems = [{ message, header: 'Request-Date' }];
    expect(() => checkAt(distance)).toThrow(expect.objectContaining({ problems }));
  });
});

test.each(['App-Id', 'Device-Id'])('%s may have 128 characters', (name) => {
  const withLength = (length: number) =>
    HEADERS.map(
      ([header, value]): Header => [header, header === name ? 'x'.repeat(length) : value],
    );
  expect(() => check(withLength(128))).not.toThrow();
  expect(() => check(withLength(129))).toThrow('Unauthorized');
});

test('the error names each missing or malformed header, in the order of the table', () => {
  expect(() => check([])).toThrow(
    expect.objectContaining({
      problems: ['Content-Type', 'Authorization', 'App-Id', 'Device-Id', 'Request-Date'].map(
        (name) => ({ message: `The header ${name} is missing.`, header: name }),
      ),
    }),
  );
  const malformed = HEADERS.map(([name]): Header => [name, '\u0000']);
  expect(() => check(malformed)).toThrow(
    expect.objectContaining({
      problems: [
        'Content-Type is malformed: it must be application/json.',
        'Authorization is malformed: it must be Bearer <ID_TOKEN>.',
        'App-Id is malformed: it must not contain control characters or lone surrogates.',
        'Device-Id is malformed: it must not contain control characters or lone surrogates.',
        'Request-Date is malformed: it must be an ISO 8601 date and time in UTC, as in 2026-11-20T09:30:00Z.',
      ].map((text) => ({ message: `The header ${text}`, header: text.split(' ')[0] })),
    }),
  );
});

test('values are trimmed, and an empty value counts as missing', () => {
  const padded = HEADERS.map(([name, value]): Header => [name, `  ${value}\t`]);
  expect(check(padded).requestHeaders).toEqual(VALUES);
  const empty = HEADERS.map(([name, value]): Header => [name, name === 'App-Id' ? '  ' : value]);
  expect(() => check(empty)).toThrow(
    expect.objectContaining({
      problems: [{ message: 'The header App-Id is missing.', header: 'App-Id' }],
    }),
  );
});

test.each([
  ['null', null],
  ['an object without values', { 'App-Id': undefined, 'Device-Id': [] }],
])('without headers, which the gateway may send as %s, all are missing', (_, multiValueHeaders) => {
  const event = { multiValueHeaders } as unknown as Event;
  expect(() => before?.({ event } as Request<Event>)).toThrow(
    expect.objectContaining({
      problems: HEADERS.map(([name]) => ({
        message: `The header ${name} is missing.`,
        header: name,
      })),
    }),
  );
});

const replaced = (name: string, value: string) =>
  HEADERS.map((header): Header => (header[0] === name ? [name, value] : header));

test.each([
  ['Content-Type', 'APPLICATION/JSON'],
  ['Content-Type', 'application/json;charset=utf-8'],
  ['Content-Type', 'application/json \t; charset=utf-8'],
  ['Authorization', 'bearer a.b.c'],
  ['Authorization', 'Bearer   a.b.c'],
])('%s: %j is accepted', (name, value) => {
  expect(check(replaced(name, value)).requestHeaders).toEqual(VALUES);
});

test('a token may end in padding', () => {
  expect(check(replaced('Authorization', 'Bearer a~b+c/d-e_f==')).requestHeaders.idToken).toBe(
    'a~b+c/d-e_f==',
  );
});

test.each([
  ['Content-Type', 'x-application/json', 'must be application/json'],
  ['Content-Type', 'application/jsonp', 'must be application/json'],
  ['Content-Type', 'application/json x', 'must be application/json'],
  ['Authorization', 'x Bearer a.b.c', 'must be Bearer <ID_TOKEN>'],
  ['Authorization', 'Bearer a.b.c d', 'must be Bearer <ID_TOKEN>'],
  ['Authorization', 'Bearer', 'must be Bearer <ID_TOKEN>'],
  ['Authorization', 'Bearera.b.c', 'must be Bearer <ID_TOKEN>'],
  [
    'Request-Date',
    'yesterday',
    'must be an ISO 8601 date and time in UTC, as in 2026-11-20T09:30:00Z',
  ],
])('%s: %j is malformed, and the error says what is expected', (name, value, expected) => {
  const message = `The header ${name} is malformed: it ${expected}.`;
  expect(() => check(replaced(name, value))).toThrow(
    expect.objectContaining({ statusCode: 401, problems: [{ message, header: name }] }),
  );
});
