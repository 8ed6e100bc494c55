import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { readPromoEvent } from '../../../../core/promo-events/promo-event.ts';
import { promoEventsQueue } from '../../../../core/promo-events/promo-events-queue.ts';
import { ANY_CHARACTER } from '../../../support/any-character.ts';
import { startAws } from '../../../support/aws.ts';
import { eventOf } from '../../../support/promo-event.ts';

/**
 * The characters that SQS accepts:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
const TAKEN = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;

const EVENT = eventOf('user');

test('an event with any strings that a request may contain is unchanged after the queue', async () => {
  const aws = await startAws();
  aws.answer({ SendMessage: {} });
  for (const [name, value] of Object.entries(aws.environment)) vi.stubEnv(name, value);
  const queue = promoEventsQueue(`${aws.endpoint}/queue`);
  const text = fc
    .string({
      minLength: 1,
      maxLength: 10,
      unit: fc.oneof(fc.constantFrom('\ufffe', '\uffff', '"', '\\'), ANY_CHARACTER),
    })
    .filter((value) => !/\p{Cc}/u.test(value));
  await fc.assert(
    fc.asyncProperty(text, text, async (userId, promoCode) => {
      const event = { ...EVENT, userId, promoCode };
      await queue(event, AbortSignal.timeout(5000));
      const body = String(aws.inputsOf('SendMessage').at(-1)?.MessageBody);
      expect(body).toMatch(TAKEN);
      expect(readPromoEvent(body)).toEqual({ event });
    }),
    { numRuns: 200 },
  );
  vi.unstubAllEnvs();
  await aws.stop();
});
