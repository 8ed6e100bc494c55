import type { DynamoDBRecord } from 'aws-lambda';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TableStream } from '../../../dynamodb/table-stream.ts';

const item = (n: number) => ({ clientId: { S: 'pizza' }, n: { N: String(n) } });

/** The records of some writes to a new stream. */
function recordsOf(writes: number): DynamoDBRecord[] {
  const records: DynamoDBRecord[] = [];
  const stream = new TableStream('arn', 'NEW_IMAGE', (record) => records.push(record));
  for (let n = 1; n <= writes; n++) {
    stream.add({ key: {}, before: n > 1 ? item(n - 1) : undefined, after: item(n) });
  }
  return records;
}

const numberOf = (record: DynamoDBRecord | undefined) => record?.dynamodb?.SequenceNumber ?? '';

test('records of a later run have higher numbers', () => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ now: Date.parse('2026-11-22T12:00:00Z') });
  const earlier = recordsOf(100);
  vi.advanceTimersByTime(1);
  expect(numberOf(recordsOf(1)[0]) > numberOf(earlier.at(-1))).toBe(true);
});
