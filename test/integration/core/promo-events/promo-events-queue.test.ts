import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type PromoEvent, readPromoEvent } from '../../../../core/promo-events/promo-event.ts';
import { storeOrQueue } from '../../../../core/promo-events/store-or-queue.ts';
import { ANY_CHARACTER } from '../../../support/any-character.ts';
import { type Aws, type Input, startAws } from '../../../support/aws.ts';
import { MESSAGE_GROUP, ODD_CLIENT } from '../../../support/odd-clients.ts';
import { eventOf } from '../../../support/promo-event.ts';
import { runs } from '../../../support/runs.ts';

/**
 * The characters that SQS accepts:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
const TAKEN = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;

let aws: Aws;
let accept: ReturnType<typeof storeOrQueue>;

beforeAll(async () => {
  aws = await startAws();
  aws.answer({ SendMessage: {} });
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  const documentClient = { send: () => Promise.reject(new Error('The table fails.')) } as never;
  const table = { tableName: 'PromoEvents', retentionDays: 0, documentClient };
  accept = storeOrQueue({ table, queueUrl: `${aws.endpoint}/queue` });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await aws.stop();
});

/** Sends an event, and returns its message. */
async function sent(event: PromoEvent): Promise<Input> {
  expect(await accept(event, 20_000)).toMatchObject({ kind: 'queued' });
  return aws.inputsOf('SendMessage').at(-1) ?? {};
}

test('an event with any strings that a request may contain is unchanged after the queue', async () => {
  const text = fc
    .string({
      minLength: 1,
      maxLength: 10,
      unit: fc.oneof(fc.constantFrom('\ufffe', '\uffff', '"', '\\'), ANY_CHARACTER),
    })
    .filter((value) => !/\p{Cc}/u.test(value));
  await fc.assert(
    fc.asyncProperty(text, text, async (userId, promoCode) => {
      const event = eventOf(userId, { promoCode });
      const body = String((await sent(event)).MessageBody);
      expect(body).toMatch(TAKEN);
      expect(readPromoEvent(body)).toEqual({ event });
    }),
    { numRuns: runs(200) },
  );
});

test('the messages of each client, however it is called, are a group that SQS accepts', async () => {
  await fc.assert(
    fc.asyncProperty(ODD_CLIENT, ODD_CLIENT, async (clientId, other) => {
      const groupOf = async (one: string, user: string) =>
        (await sent(eventOf(user, { clientId: one }))).MessageGroupId;
      const group = await groupOf(clientId, 'jane');
      expect(group).toMatch(MESSAGE_GROUP);
      expect((await groupOf(other, 'joe')) === group).toBe(other === clientId);
    }),
  );
});
