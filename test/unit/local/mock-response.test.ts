import { expect, test } from 'vitest';
import { mockResponse } from '../../../local/mock-response.ts';
import type { MockMethod } from '../../../local/rest-api.ts';

const MOCK: MockMethod = {
  method: 'OPTIONS',
  path: '/one',
  mediaTypes: ['application/json'],
  response: {
    statusCode: 204,
    headers: { 'Access-Control-Allow-Origin': 'https://first.example', Vary: 'Origin' },
    body: [
      '#set($origin = $input.params().header.get("Origin"))',
      '#if($origin == "https://other.example")',
      '#set($context.responseOverride.header.Access-Control-Allow-Origin = $origin)',
      '#end',
    ].join(''),
  },
};

test.each([
  ['application/json'],
  ['Application/JSON; charset=utf-8'],
  ['application/json ; charset=utf-8'],
  [undefined],
])('a mock accepts a body of the type %s', (type) => {
  const headers = { ...(type && { 'content-type': type }) };
  expect(mockResponse(MOCK, headers)).toMatchObject({ statusCode: 204 });
});

test.each(['text/plain', 'application/jsonp', ''])(
  'a mock refuses a body of the type %j',
  (type) => {
    expect(mockResponse(MOCK, { 'content-type': type })).toBeUndefined();
  },
);

test('a mock without types accepts each of them', () => {
  const any = { ...MOCK, mediaTypes: undefined };
  expect(mockResponse(any, { 'content-type': 'text/plain' })).toMatchObject({ statusCode: 204 });
});

test('a header that the template sets replaces the static one, and the others stay', () => {
  const headersFor = (origin: string) => mockResponse(MOCK, { origin })?.headers;
  expect(headersFor('https://other.example')).toEqual({
    'Access-Control-Allow-Origin': 'https://other.example',
    Vary: 'Origin',
  });
  expect(headersFor('https://stranger.example')).toEqual(MOCK.response.headers);
});
