import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import { withCors } from '../../../../functions/api/cors.ts';

const RESPONSE = { statusCode: 503, headers: { 'Content-Type': 'application/json' }, body: '{}' };
const context = {} as Context;

const answer = async (setting: string, headers: Record<string, string> | null = {}) =>
  (await withCors(setting, async () => RESPONSE)({ headers } as APIGatewayProxyEvent, context))
    .headers;

const exposed = { 'Access-Control-Expose-Headers': 'x-amzn-RequestId,Date' };

test('without origins the handler stays as it is', () => {
  const handler = async () => RESPONSE;
  expect(withCors('none', handler)).toBe(handler);
});

test.each(['Origin', 'origin', 'ORIGIN'])(
  'an origin of the setting is allowed, and the response differs by origin: %s',
  async (name) => {
    for (const origin of ['https://a.example', 'https://b.example']) {
      for (const headers of [
        { Host: 'api.example', [name]: origin },
        { [name]: origin, Referer: 'https://c.example' },
      ]) {
        expect(await answer('https://a.example,https://b.example', headers)).toEqual({
          ...RESPONSE.headers,
          ...exposed,
          'Access-Control-Allow-Origin': origin,
          Vary: 'Origin',
        });
      }
    }
  },
);

test.each([
  { Origin: 'https://c.example' },
  { Origin: 'https://a.example.evil.example' },
  { Origin: 'http://a.example' },
  { Origin: 'null' },
  { Origin: '' },
  {},
  null,
])(
  'another origin, or none, is not allowed, and the response still differs: %j',
  async (headers) => {
    expect(await answer('https://a.example', headers)).toEqual({
      ...RESPONSE.headers,
      Vary: 'Origin',
    });
  },
);

test('with * every origin is allowed, with the same response for all', async () => {
  expect(await answer('*', { Origin: 'https://c.example' })).toEqual({
    ...RESPONSE.headers,
    ...exposed,
    'Access-Control-Allow-Origin': '*',
  });
});
