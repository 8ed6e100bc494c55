import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkAccess } from '../../../../core/configuration/check-access.ts';
import { checkConfiguration } from '../../../../core/configuration/check-configuration.ts';
import { readConfiguration } from '../../../../core/configuration/read-configuration.ts';
import { createDocumentClient } from '../../../../core/platform/document-client.ts';
import { OK } from '../../../../core/platform/metrics.ts';
import { rehearsedAnswer } from '../../../../core/platform/rehearsal.ts';
import { rehearse } from '../../../../functions/api/rehearse.ts';

const ISSUER = { issuer: 'https://issuer.example.com', userPoolClientIds: ['app-1', 'app-2'] };
const response = { statusCode: 200, body: '' };

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Rehearses with a responder that answers with a code, and returns what it was called with. */
async function rehearsed(code: string) {
  const events: APIGatewayProxyEvent[] = [];
  const states: boolean[] = [];
  const remaining: number[] = [];
  const responder = vi.fn(() => {
    return async (event: APIGatewayProxyEvent, context: Context) => {
      events.push(event);
      states.push(rehearsedAnswer() !== undefined);
      remaining.push(context.getRemainingTimeInMillis());
      return { code, response };
    };
  });
  await rehearse(responder, { body: { promoCode: 'x' }, claims: { sub: 'user' } }, ISSUER);
  return { events, states, remaining };
}

test('each of three requests is for another client, which is not cached', async () => {
  const { events, states, remaining } = await rehearsed(OK);
  expect(states).toEqual(Array(3).fill(true));
  expect(remaining).toEqual(Array(3).fill(20_000));
  const bodies = events.map(({ body }) => JSON.parse(body ?? ''));
  expect(new Set(bodies.map(({ clientId }) => clientId)).size).toBe(3);
  for (const body of bodies) expect(body).toMatchObject({ promoCode: 'x' });
});

test.each([
  ['a part of a CPU during calls', '1768', 'on-demand', 3],
  ['a whole CPU during calls', '1769', 'on-demand', 0],
  ['a whole CPU and provisioned concurrency', '1769', 'provisioned-concurrency', 3],
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

test('the client of a rehearsal has one field, which needs no correction', async () => {
  const items: Record<string, unknown>[] = [];
  const documentClient = createDocumentClient('http://127.0.0.1:9');
  const responder = () => async () => {
    const call = new GetCommand({ TableName: 'Configs', Key: { clientId: 'rehearsal' } });
    const { Item = {} } = await documentClient.send(call);
    items.push(Item);
    return { code: OK, response };
  };
  await rehearse(responder, {}, ISSUER);
  const [item = {}] = items;
  expect([...checkAccess(item, true), ...checkConfiguration(item)]).toEqual([]);
  const { configuration, warnings } = readConfiguration(item);
  expect(configuration.fields).toHaveLength(1);
  expect(configuration).toMatchObject({ lastFieldId: item.lastFieldId, fields: item.fields });
  expect(warnings).toEqual([]);
});
