import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readItem, readValue } from '../../../../core/aws/attribute-values.ts';
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

test.each(['__proto__', 'constructor', 'toString'])('%s is an attribute like any other', (name) => {
  for (const value of [{ M: { fields: { S: 'x' } } }, { B: new Uint8Array([1]) }, { L: [] }]) {
    const M = Object.fromEntries([[name, value]]);
    const read = readItem({ M: { M }, L: { L: [{ M }] } }) as { M: object; L: object[] };
    for (const map of [read.M, read.L[0]]) {
      expect(Object.entries(map ?? {})).toEqual([[name, readValue(value)]]);
      expect(map).not.toHaveProperty('fields');
    }
  }
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
