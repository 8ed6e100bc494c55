import { setTimeout } from 'node:timers/promises';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { headersOf } from '../../functions/http/request-headers.ts';
import { documentClient, sqsClient } from '../../packages/deployment/aws-clients.ts';
import { type Outputs, storesDeviceIds } from '../../packages/deployment/outputs.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { SqsQueue } from '../../packages/on-call/promo-events/sqs-queue.ts';
import { bodyOf } from '../../packages/on-call/smoke/checks.ts';
import {
  type Cleanup,
  createClient,
  createUser,
  type Subject,
} from '../../packages/on-call/smoke/subject.ts';
import { itemsIn } from '../../test/support/items-in.ts';
import type { Outcome } from './history.ts';
import type { Call, StoredItem, System } from './system.ts';

/** A time longer than the function may take. */
const TIMEOUT_MS = 30_000;
/** The queue must become shorter in this time. */
const STALLED_MS = 300_000;

/** The reads that show that the queues are empty: their counts are approximate. */
export interface EmptyCounts {
  readonly count: number;
  readonly everyMs: number;
}

/**
 * Creates a client and users in a deployment, as `smoke` does.
 *
 * @param outputsFile the file of the outputs, if any: the local server keeps its key beside it.
 * @param cleanup removes them, with the promo events of the first user.
 */
export async function createService(
  outputs: Outputs,
  outputsFile: string | undefined,
  users: number,
  emptyCounts: EmptyCounts,
  cleanup: Cleanup,
): Promise<System & { readonly clientId: string }> {
  const subjects = new Map<string, Subject>();
  const [first, ...others] = await Promise.all(
    Array.from({ length: users }, () => createUser(outputs, outputsFile, cleanup)),
  );
  if (!first) throw new RangeError('A run needs a user.');
  const client = await createClient(outputs, first.userId, cleanup, { promoCodesIgnoreCase: true });
  for (const user of [first, ...others]) {
    subjects.set(user.userId, { url: outputs.ApiUrl.replace(/\/$/, ''), ...user, ...client });
  }
  const documents = cleanup.use(documentClient(outputs));
  const sqs = cleanup.use(sqsClient(outputs));
  const queues = [outputs.PromoEventsQueueUrl, outputs.PromoEventsDeadLetterQueueUrl].map(
    (url) => new SqsQueue(sqs, url),
  );
  return {
    clientId: client.clientId,
    users: [...subjects.keys()],
    storesDeviceIds: () => storesDeviceIds(outputs),
    apply: (call) => send(subjects.get(call.user) as Subject, call),
    read: async () =>
      (await itemsIn(outputs.PromoEventsTableName, documents, client.clientId)) as StoredItem[],
    drain: () => drain(queues, emptyCounts),
  };
}

/** Sends a request, and says what an app learns from the response. */
async function send(subject: Subject, call: Call): Promise<Outcome> {
  const { user: userId, code: promoCode, date: requestDate, deviceId, ...attributes } = call;
  const { url, idToken, appId } = subject;
  const body = { ...bodyOf(applyPromoCode, subject), userId, promoCode, ...attributes };
  try {
    const response = await fetch(`${url}${applyPromoCode.path}`, {
      method: 'POST',
      headers: headersOf({ idToken, appId, deviceId, requestDate }),
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { status } = response;
    // The gateway answers 429 by itself.
    if (status >= 400 && status < 500) return 'refused';
    const { data } = (await response.json()) as {
      data: { outcome?: Outcome; retryable?: boolean };
    };
    return data.outcome ?? (data.retryable ? 'retryable' : 'failed');
  } catch {
    return 'unanswered';
  }
}

/** Waits until the queue and its dead letters are counted as empty, several times in a row. */
async function drain(queues: readonly SqsQueue[], { count, everyMs }: EmptyCounts): Promise<void> {
  let [fewest, since, empty] = [Number.POSITIVE_INFINITY, Date.now(), 0];
  while (empty < count) {
    const lengths = await Promise.all(queues.map((queue) => queue.length()));
    const left = lengths.reduce((sum, length) => sum + length, 0);
    empty = left === 0 ? empty + 1 : 0;
    if (left < fewest) [fewest, since] = [left, Date.now()];
    if (left > 0 && Date.now() - since > STALLED_MS) {
      throw new UserError(
        `Nothing was judged: ${lengths.join(' messages wait in the queue, and ')} among its dead letters. Empty both, and run it again.`,
      );
    }
    await setTimeout(everyMs);
  }
}
