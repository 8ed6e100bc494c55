import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDocumentClient } from '../../../../core/platform/document-client.ts';
import { inRehearsal } from '../../../../core/platform/rehearsal.ts';
import { promoEventsQueue } from '../../../../core/promo-events/promo-events-queue.ts';

// Unit tests have no network: a call that is sent fails.

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('a call in a rehearsal gets the given answer, and is not sent', async () => {
  const documentClient = createDocumentClient('http://127.0.0.1:9');
  const call = new GetCommand({ TableName: 'Configs', Key: { clientId: 'demo' } });
  const answer = { Item: { clientId: { S: 'demo' } } };
  const { Item } = await inRehearsal(answer, () => documentClient.send(call));
  expect(Item).toEqual({ clientId: 'demo' });
});

test('a message in a rehearsal is not sent', async () => {
  const send = promoEventsQueue('http://127.0.0.1:9/queue');
  const event = {
    ...{
      clientId: 'demo',
      userId: 'user',
      promoCode: 'SAVE10',
      eventType: 'signup',
      source: 'app',
    },
    ...{ deviceId: 'device', requestDate: '2026-11-22T00:00:00Z' },
    receivedAt: '2026-11-22T00:00:00.000Z',
  };
  await inRehearsal({}, () => send(event, AbortSignal.timeout(100)));
});
