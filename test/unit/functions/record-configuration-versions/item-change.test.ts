import { expect, test } from 'vitest';
import { readItemChange } from '../../../../functions/record-configuration-versions/item-change.ts';

const base64 = (...bytes: number[]) => Buffer.from(bytes).toString('base64');

test('a record of the stream is read with its position, its time and both images', () => {
  const change = readItemChange({
    eventID: 'event-1',
    eventSourceARN: 'stream',
    dynamodb: {
      ApproximateCreationDateTime: Date.parse('2026-11-21T09:00:00.000Z') / 1000,
      Keys: { clientId: { S: 'pizza' } },
      SequenceNumber: '7',
      OldImage: { clientId: { S: 'pizza' }, lastFieldId: { N: '1' } },
      NewImage: { clientId: { S: 'pizza' }, lastFieldId: { N: '2' } },
    },
  });
  expect(change).toEqual({
    ...{ clientId: 'pizza', eventId: 'event-1', at: '2026-11-21T09:00:00.000Z' },
    position: { stream: 'stream', sequenceNumber: '7' },
    before: { clientId: { S: 'pizza' }, lastFieldId: { N: '1' } },
    after: { clientId: { S: 'pizza' }, lastFieldId: { N: '2' } },
  });
});

test('binary values, which events have in base64, are bytes at any depth', () => {
  const { before, after } = readItemChange({
    dynamodb: {
      NewImage: {
        one: { B: base64(0, 255) },
        empty: { B: '' },
        several: { BS: [base64(1), base64(2, 3)] },
        fields: { L: [{ M: { deep: { B: base64(4) } } }] },
      },
    },
  });
  expect(before).toBeUndefined();
  expect(after).toEqual({
    one: { B: Buffer.from([0, 255]) },
    empty: { B: Buffer.from([]) },
    several: { BS: [Buffer.from([1]), Buffer.from([2, 3])] },
    fields: { L: [{ M: { deep: { B: Buffer.from([4]) } } }] },
  });
});
