import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord } from 'aws-lambda';
import type { StreamedTable } from '../dynamodb/streaming-database.ts';
import { TableStream } from '../dynamodb/table-stream.ts';
import type { EventBus } from '../events/event-bus.ts';
import { pipeRunner } from '../events/pipe-runner.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import { StreamConsumer } from '../lambda/stream-event-source.ts';
import type { Template } from '../template.ts';

/** Reads the stream of a table. Returns a function that stops reading. */
export type ReadStream = (
  endpoint: string,
  tableName: string,
  onRecord: (record: DynamoDBRecord) => void,
) => Promise<() => Promise<void>>;

/** The streams of a template's tables, and what reads them. */
export interface Streams {
  /** The tables whose writes make records. */
  readonly tables: readonly StreamedTable[];
  /** The functions that read a stream. */
  readonly consumers: readonly StreamConsumer[];
  /** The tables whose own streams have to be read, each with its only reader. */
  readonly external: readonly {
    readonly tableName: string;
    readonly consumer: StreamConsumer;
  }[];
}

/**
 * Connects the streams of the tables with the pipes and functions that read them.
 *
 * @param hasReader whether the database has streams of its own, which functions read.
 * @param onRecord receives each record after its readers.
 */
export function connectStreams(
  template: Template,
  functions: ReadonlyMap<string, LambdaFunction>,
  { bus, sqs }: { readonly bus: EventBus; readonly sqs: SQSClient },
  hasReader: boolean,
  onRecord: (tableName: string, record: DynamoDBRecord) => void,
): Streams {
  const pipes = new Map(
    template.pipes().map((pipe) => [pipe.streamArn, pipeRunner(pipe, bus, sqs)]),
  );
  const consumers = new Map(
    template
      .streamEventSources()
      .map((source) => [
        source.streamArn,
        new StreamConsumer(source, () => functions.get(source.functionLogicalId)),
      ]),
  );
  const tables: StreamedTable[] = [];
  const external: { tableName: string; consumer: StreamConsumer }[] = [];
  for (const { tableName, keySchema, streamArn, streamViewType } of template.tables()) {
    const [pipe, consumer] = [pipes.get(streamArn), consumers.get(streamArn)];
    if (hasReader && consumer && !pipe) external.push({ tableName, consumer });
    else if (streamViewType && (consumer || pipe)) {
      // A record passes through a pipe before the write is answered. A function gets it later.
      const stream = new TableStream(streamArn, streamViewType, async (record) => {
        await pipe?.(record);
        consumer?.add(record);
        onRecord(tableName, record);
      });
      tables.push({ tableName, keySchema, stream });
    }
  }
  return { tables, consumers: [...consumers.values()], external };
}
