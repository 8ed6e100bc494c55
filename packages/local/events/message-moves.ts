import { randomUUID } from 'node:crypto';
import {
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type ListMessageMoveTasksResultEntry,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
  type StartMessageMoveTaskRequest,
} from '@aws-sdk/client-sqs';

/** The operations of SQS that move messages, by name, which the embedded SQS does not have. */
export type MessageMoves = ReturnType<typeof messageMoves>;

/** Creates the operations. A task sends each message, and then deletes it. */
export function messageMoves(sqs: SQSClient) {
  const newest = new Map<unknown, ListMessageMoveTasksResultEntry>();

  async function move(task: ListMessageMoveTasksResultEntry): Promise<void> {
    // On AWS, this is so of messages that a function has sent.
    if (!task.DestinationArn) throw new Error('CouldNotDetermineMessageSource');
    const [QueueUrl, to] = await Promise.all([urlOf(task.SourceArn), urlOf(task.DestinationArn)]);
    const names = { MessageSystemAttributeNames: ['MessageGroupId' as const] };
    const receive = { QueueUrl, MaxNumberOfMessages: 10, ...names };
    for (let moved = 0; ; task.ApproximateNumberOfMessagesMoved = moved) {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(receive));
      if (Messages.length === 0) return;
      const sent = Messages.map(({ Body: MessageBody, Attributes = {} }, Id) => {
        return { Id: `${Id}`, MessageBody, MessageGroupId: Attributes.MessageGroupId };
      });
      await sqs.send(new SendMessageBatchCommand({ QueueUrl: to, Entries: sent }));
      const deleted = Messages.map(({ ReceiptHandle }, Id) => ({ Id: `${Id}`, ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: deleted }));
      moved += Messages.length;
    }
  }

  async function urlOf(arn = ''): Promise<string | undefined> {
    const QueueName = arn.replace(/.*:/, '');
    return (await sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl;
  }

  return {
    StartMessageMoveTask: ({ SourceArn, DestinationArn }: StartMessageMoveTaskRequest) => {
      const TaskHandle = randomUUID();
      const task: ListMessageMoveTasksResultEntry = { SourceArn, DestinationArn, TaskHandle };
      newest.set(
        SourceArn,
        Object.assign(task, { Status: 'RUNNING', StartedTimestamp: Date.now() }),
      );
      move(task).then(
        () => Object.assign(task, { Status: 'COMPLETED' }),
        ({ message }) => Object.assign(task, { Status: 'FAILED', FailureReason: message }),
      );
      return { TaskHandle };
    },
    ListMessageMoveTasks: ({ SourceArn }: { readonly SourceArn: string }) => ({
      Results: [newest.get(SourceArn) ?? []].flat(),
    }),
  };
}
