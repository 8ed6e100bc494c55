import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test, vi } from 'vitest';
import { Messages } from '../../../cli/queue-messages.ts';
import { searchQueue } from '../../../cli/search-queue.ts';

test('a search that was interrupted is not complete, whatever it has found', async () => {
  const messages = new Messages(new SQSClient({ region: 'eu-central-1' }), 'https://queue.invalid');
  vi.spyOn(messages, 'count').mockResolvedValue({ waiting: 0, inFlight: 0 });
  vi.spyOn(messages, 'forEachBatch').mockResolvedValue(false);
  const search = (signal: AbortSignal) =>
    searchQueue(messages, {
      ...{ isWanted: () => true, removes: false, signal },
      ...{ maxMessages: 10, visibilityTimeoutSeconds: 30, onFound: () => {}, progress: () => {} },
    });
  expect((await search(new AbortController().signal)).isComplete).toBe(true);
  expect((await search(AbortSignal.abort())).isComplete).toBe(false);
});
