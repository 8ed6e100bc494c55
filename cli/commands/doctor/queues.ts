import { Messages } from '../../../admin/promo-events/sqs-queue.ts';
import { counted } from '../../../core/text.ts';
import { sqsClient } from '../../deployment/aws-clients.ts';
import { suggested } from '../../suggestion.ts';
import type { Check } from './diagnosis.ts';

/** Promo events that were not stored or published, and changes that were not recorded. */
export const queues: Check = {
  name: 'queues',
  run: async function* ({ outputs }) {
    const sqs = sqsClient(outputs);
    const countIn = async (queueUrl: string) => {
      const { waiting, inFlight } = await new Messages(sqs, queueUrl).count();
      return waiting + inFlight;
    };
    try {
      const dead = await countIn(outputs.PromoEventsDeadLetterQueueUrl);
      const unpublished = await countIn(outputs.PromoEventsBusDeadLetterQueueUrl);
      const unrecorded = await countIn(outputs.ConfigVersionsDeadLetterQueueUrl);
      const waiting = await countIn(outputs.PromoEventsQueueUrl);
      if (dead > 0) {
        yield {
          status: 'problem',
          message: `The dead-letter queue has ${counted(dead, 'message')}, not stored. Look at them: ${suggested('queue', 'show')}`,
        };
      }
      if (unpublished > 0) {
        yield {
          status: 'problem',
          message: `${counted(unpublished, 'dead letter')} did not reach the event bus. Look at them: ${suggested('queue', 'replay', '--dry-run')}`,
        };
      }
      if (unrecorded > 0) {
        yield {
          status: 'problem',
          message: `${counted(unrecorded, 'dead letter')} of the history: changes of clients that are not recorded. Publish these clients, then remove them: ${suggested('queue', 'purge-history')}`,
        };
      }
      if (waiting > 0) {
        yield {
          status: 'note',
          message: `In the queue, waiting to be stored: ${counted(waiting, 'promo event')}.`,
        };
      }
      if (dead + unpublished + unrecorded === 0) {
        yield { status: 'ok', message: 'There are no dead letters.' };
      }
    } finally {
      sqs.destroy();
    }
  },
};
