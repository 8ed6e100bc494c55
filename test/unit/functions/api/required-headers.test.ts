import type { Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { headersOf } from '../../../../functions/api/headers.ts';
import {
  requiredHeaders,
  type WithRequestHeaders,
} from '../../../../functions/api/required-headers.ts';

type Event = APIGatewayProxyEvent & WithRequestHeaders;
type Header = [name: string, value: string];

const { before } = requiredHeaders(24 * 60 * 60);

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
  before?.({ event } as Request<Event>);
  return event;
}

test('names compare without case', () => {
  const spelled = HEADERS.map(([name, value]) => fc.tuple(spellingsOf(name), fc.constant(value)));
  fc.assert(
    fc.property(fc.tuple(...spelled), (headers) => {
      expect(check(headers).requestHeaders).toEqual(VALUES);
    }),
  );
});

test('a header in two spellings is sent twice', () => {
  const repeated = HEADERS.map(([name, value]) =>
    fc.tuple(fc.constant(name), spellingsOf(name), fc.constant(value)),
  );
  fc.assert(
    fc.property(fc.oneof(...repeated), ([name, spelling, value]) => {
      fc.pre(spelling !== name);
      const message = `The header ${name} is malformed: it must be sent once.`;
      expect(() => check([...HEADERS, [spelling, value]])).toThrow(
        expect.objectContaining({ statusCode: 401, problems: [{ message }] }),
      );
    }),
  );
});
