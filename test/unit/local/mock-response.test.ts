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

test('a header that the template sets replaces the static one, and the others stay', () => {
  const headersFor = (origin: string) => mockResponse(MOCK, { origin })?.headers;
  expect(headersFor('https://other.example')).toEqual({
    'Access-Control-Allow-Origin': 'https://other.example',
    Vary: 'Origin',
  });
  expect(headersFor('https://stranger.example')).toEqual(MOCK.response.headers);
});
