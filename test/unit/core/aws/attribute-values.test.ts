import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readItem } from '../../../../core/aws/attribute-values.ts';
import { attributes } from '../../../support/attribute-values.ts';

/** True if a value has the key `__proto__` at any depth. */
const hasProto = (value: unknown) => JSON.stringify(value).includes('"__proto__":');

test('an item is read as the SDK reads it, as long as no attribute is called __proto__', () => {
  fc.assert(
    fc.property(attributes, (item) => {
      fc.pre(!hasProto(item));
      expect(readItem(item)).toEqual(unmarshall(item, { wrapNumbers: Number }));
    }),
  );
});

test('a name that no attribute has is undefined, whatever objects inherit', () => {
  const item = readItem({ map: { M: {} } });
  for (const map of [item, item.map as typeof item]) {
    expect([map.constructor, map.toString, Reflect.get(map, '__proto__')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  }
});
