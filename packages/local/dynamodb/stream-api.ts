import * as v from 'valibot';
import type { TableStream } from './table-stream.ts';

/** An answer of the streams' API. */
interface StreamAnswer {
  readonly status: number;
  readonly body: object;
}

const StreamRequest = v.object({
  StreamArn: v.optional(v.string(), ''),
  ShardIteratorType: v.optional(v.string()),
  SequenceNumber: v.optional(v.string(), ''),
  ShardIterator: v.optional(v.string(), ''),
});

/**
 * Answers the DynamoDB Streams calls that read records again: `GetShardIterator` with
 * `TRIM_HORIZON` or `AT_SEQUENCE_NUMBER`, and `GetRecords`.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Operations_Amazon_DynamoDB_Streams.html
 */
export function answerStreamCall(
  streams: readonly TableStream[],
  operation: string,
  request: unknown,
): StreamAnswer {
  const { success, output } = v.safeParse(StreamRequest, request);
  if (!success) return error('SerializationException', 'The request cannot be read.');
  const { StreamArn, ShardIteratorType, SequenceNumber, ShardIterator } = output;
  const [arn = '', sequenceNumber = ''] =
    operation === 'GetRecords' ? ShardIterator.split('|') : [StreamArn, SequenceNumber];
  const stream = streams.find((one) => one.arn === arn);
  if (!stream) return error('ResourceNotFoundException', `There is no stream ${arn}.`);
  if (operation === 'GetRecords') {
    return { status: 200, body: { Records: stream.from(sequenceNumber) } };
  }
  if (operation !== 'GetShardIterator') {
    return error('UnknownOperationException', `${operation} is not known here.`);
  }
  return ShardIteratorType === 'TRIM_HORIZON' || stream.keeps(sequenceNumber)
    ? { status: 200, body: { ShardIterator: `${arn}|${sequenceNumber}` } }
    : error('TrimmedDataAccessException', `${sequenceNumber} is no longer in the stream.`);
}

function error(name: string, message: string): StreamAnswer {
  return { status: 400, body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message } };
}
