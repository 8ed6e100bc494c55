import { setTimeout } from 'node:timers/promises';
import { documentClient, sqsClient } from '../../packages/deployment/aws-clients.ts';
import { signIdToken } from '../../packages/deployment/local/id-token.ts';
import { startLocalServer } from '../../packages/local/server/server.ts';
import { synthesize } from '../../packages/local/synthesize.ts';
import { SqsQueue } from '../../packages/on-call/promo-events/sqs-queue.ts';
import { changedAssembly } from '../../test/support/changed-assembly.ts';
import { itemsIn } from '../../test/support/items-in.ts';
import { newFolder } from '../../test/support/new-folder.ts';

/** Deployed, a message that fails waits for two minutes. */
const QUEUE = { visibilityTimeoutSeconds: 1, maxReceiveCount: 100 };

export type QueueService = Awaited<ReturnType<typeof startService>>;

/** Starts the service on this machine, with its example clients. */
export async function startService() {
  await using started = new AsyncDisposableStack();
  const { path: folder } = started.use(await newFolder());
  await synthesize(folder);
  const assembly = await changedAssembly(folder, { queue: QUEUE });
  const server = await startLocalServer(assembly, {
    port: 0,
    folder,
    hasStreams: false,
    log: () => {},
  });
  started.defer(server.stop);
  const documents = documentClient(server.outputs);
  started.defer(() => documents.destroy());
  const queue = new SqsQueue(
    started.use(sqsClient(server.outputs)),
    server.outputs.PromoEventsQueueUrl,
  );
  const running = started.move();
  return {
    url: server.outputs.ApiUrl,
    /** The tokens of a user: an expired one, and one that is accepted. */
    tokensOf: async (user: string) => ({
      EXPIRED_TOKEN: await signIdToken(server.issuer, { user, expiresInSeconds: -5 }),
      ID_TOKEN: await signIdToken(server.issuer, { user }),
    }),
    /** Waits until all accepted events are stored: a busy service queues some. */
    queueIsEmpty: async () => {
      while ((await queue.length()) > 0) await setTimeout(200);
    },
    /** The promo events of a user that the table has. */
    promoEventsOf: async (user: string) => {
      const items = await itemsIn(server.outputs.PromoEventsTableName, documents, 'demo');
      return items.filter(({ userId }) => userId === user);
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
