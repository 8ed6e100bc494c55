import type { StreamedTable } from '../dynamodb/streaming-database.ts';
import { TableStream } from '../dynamodb/table-stream.ts';
import type { LambdaFunction } from '../lambda/lambda-function.ts';
import { StreamConsumer } from '../lambda/stream-event-source.ts';
import type { Template } from '../template.ts';

/** The streams of a template's tables, and what reads them. */
export interface Streams {
  /** The tables whose writes make records. */
  readonly tables: readonly StreamedTable[];
  /** The readers of all streams, by the logical ids of their functions. */
  readonly consumers: ReadonlyMap<string, StreamConsumer>;
}

/**
 * Connects the streams of the tables with the functions that read them. Each reader gets all
 * records, and waits for no other one.
 */
export function connectStreams(
  template: Template,
  functions: ReadonlyMap<string, LambdaFunction>,
): Streams {
  const sources = template.streamEventSources().map((source) => ({
    ...source,
    consumer: new StreamConsumer(source, () => functions.get(source.functionLogicalId)),
  }));
  const streams = template
    .tables()
    .map((table) => ({
      ...table,
      readers: sources.filter(({ streamArn }) => streamArn === table.streamArn),
    }))
    .filter(({ readers }) => readers.length > 0);
  return {
    tables: streams.flatMap(({ streamArn, streamViewType, readers, ...table }) => {
      if (!streamViewType) return [];
      const stream = new TableStream(streamArn, streamViewType, (record) => {
        for (const { consumer } of readers) consumer.add(record);
      });
      return [{ ...table, stream }];
    }),
    consumers: new Map(sources.map((one) => [one.functionLogicalId, one.consumer])),
  };
}
