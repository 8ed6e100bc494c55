import type { Server } from 'node:http';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { listen, queueClient, REGION } from 'customer-data-api-deployment/local';
import { buildApp } from 'fauxqs';
import type { QueueDefinition } from '../template.ts';
import { type MessageMoves, messageMoves } from './message-moves.ts';

/** A running embedded SQS. */
export interface Queues {
  readonly endpoint: string;
  readonly server: Server;
  readonly stop: () => Promise<void>;
}

/** Starts the embedded SQS with the queues of the stack. Messages are in memory. */
export async function startQueues(queues: readonly QueueDefinition[]): Promise<Queues> {
  const app = buildApp({ logger: false, defaultRegion: REGION });
  // fauxqs itself answers 500 to an unreadable body.
  app.setErrorHandler<Error & { statusCode?: number }>(
    ({ statusCode = 400, message }, _request, reply) => {
      const __type = 'com.amazonaws.sqs#SerializationException';
      return reply.code(statusCode).send({ __type, message });
    },
  );
  let moves: MessageMoves | undefined;
  app.addHook('preHandler', async ({ headers, body }, reply) => {
    const operation = String(headers['x-amz-target']).replace('AmazonSQS.', '');
    const move = moves?.[operation as keyof MessageMoves];
    if (move) return reply.type('application/x-amz-json-1.0').send(move(body as never));
  });
  await app.ready();
  const endpoint = await listen(app.server);
  const client = queueClient(endpoint);
  for (const { queueName, attributes } of queues) {
    await client.send(new CreateQueueCommand({ QueueName: queueName, Attributes: attributes }));
  }
  moves = messageMoves(client);
  return {
    endpoint,
    server: app.server,
    stop: async () => {
      client.destroy();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
