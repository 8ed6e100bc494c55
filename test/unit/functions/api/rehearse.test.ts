import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OK } from '../../../../core/platform/metrics.ts';
import { isRehearsal } from '../../../../core/platform/rehearsal.ts';
import { rehearse } from '../../../../functions/api/rehearse.ts';

const ISSUER = { issuer: 'https://issuer.example.com', userPoolClientIds: ['app-1', 'app-2'] };
const response = { statusCode: 200, body: '' };

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Rehearses with a responder that answers with a code, and returns what it was called with. */
async function rehearsed(code: string) {
  const events: APIGatewayProxyEvent[] = [];
  const states: boolean[] = [];
  const responder = vi.fn((_documentClient: DynamoDBDocumentClient) => {
    return async (event: APIGatewayProxyEvent) => {
      events.push(event);
      states.push(isRehearsal());
      return { code, response };
    };
  });
  await rehearse(responder, { body: { promoCode: 'x' }, claims: { sub: 'user' } }, ISSUER);
  return { events, states };
}

test('each of four requests is for another client, which is not cached', async () => {
  const { events, states } = await rehearsed(OK);
  expect(states).toEqual([true, true, true, true]);
  const bodies = events.map(({ body }) => JSON.parse(body ?? ''));
  expect(new Set(bodies.map(({ clientId }) => clientId)).size).toBe(4);
  for (const body of bodies) expect(body).toMatchObject({ promoCode: 'x' });
});

test.each([
  ['a part of a CPU during calls', '1768', 'on-demand', 4],
  ['a whole CPU during calls', '1769', 'on-demand', 0],
  ['a whole CPU and provisioned concurrency', '1769', 'provisioned-concurrency', 4],
])(
  'a function with %s rehearses as often as that makes callers wait for less',
  async (_, memory, type, times) => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_MEMORY_SIZE', memory);
    vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', type);
    expect((await rehearsed(OK)).events).toHaveLength(times);
  },
);

test('a request that ends at a check is an error, because it prepares little', async () => {
  await expect(rehearsed('Unauthorized')).rejects.toThrow(
    'The rehearsed request was answered with Unauthorized.',
  );
});

test('connections that were begun before get their turn first', async () => {
  const turns: string[] = [];
  setImmediate(() => turns.push('connection'));
  const responder = () => {
    turns.push('rehearsal');
    return async () => ({ code: OK, response });
  };
  await rehearse(responder, {}, ISSUER);
  expect(turns).toEqual(['connection', 'rehearsal']);
});
