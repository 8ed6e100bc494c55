import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeFields } from '../../../../core/configuration/merge-fields.ts';

const pizza = { id: '1', fieldName: 'Pizza', mandatory: false };
const member = { id: '2', fieldName: 'Member', mandatory: true };
const car = { id: '3', fieldName: 'Car', mandatory: false };
const base = [pizza, member, car];
const renamed = (field: object, fieldName: string) => ({ ...field, fieldName });

describe('changes of different fields are merged', () => {
  test.each<[what: string, mine: object[], theirs: object[], fields: object[]]>([
    [
      'two changes',
      [renamed(pizza, 'A'), member, car],
      [pizza, member, renamed(car, 'B')],
      [renamed(pizza, 'A'), member, renamed(car, 'B')],
    ],
    [
      'the same change',
      [renamed(pizza, 'A'), member, car],
      [renamed(pizza, 'A'), member, car],
      [renamed(pizza, 'A'), member, car],
    ],
    [
      'a removal and a change',
      [member, car],
      [pizza, member, renamed(car, 'B')],
      [member, renamed(car, 'B')],
    ],
    [
      'a change and a removal',
      [renamed(pizza, 'A'), member, car],
      [pizza, member],
      [renamed(pizza, 'A'), member],
    ],
    ['two removals', [member, car], [pizza, member], [member]],
    [
      'two additions, each after the field that it follows',
      [pizza, { fieldName: 'Mine' }, member, car],
      [pizza, member, { id: '4', fieldName: 'Theirs' }, car],
      [pizza, { fieldName: 'Mine' }, member, { id: '4', fieldName: 'Theirs' }, car],
    ],
    [
      'additions at both ends',
      [{ fieldName: 'Mine' }, pizza, member, car],
      [...base, { id: '4', fieldName: 'Theirs' }],
      [{ fieldName: 'Mine' }, ...base, { id: '4', fieldName: 'Theirs' }],
    ],
    [
      'an addition after a field that the other side removed',
      [pizza, member, { fieldName: 'Mine' }, car],
      [pizza, car],
      [pizza, { fieldName: 'Mine' }, car],
    ],
    [
      'another order of mine',
      [car, pizza, member],
      [pizza, renamed(member, 'B'), car],
      [car, pizza, renamed(member, 'B')],
    ],
    [
      'another order of theirs',
      [renamed(pizza, 'A'), member, car],
      [car, member, pizza],
      [car, member, renamed(pizza, 'A')],
    ],
    [
      'an addition with the name of a field that was there before',
      [...base, { fieldName: 'Pizza' }],
      [pizza, member, renamed(car, 'B')],
      [pizza, member, renamed(car, 'B'), { fieldName: 'Pizza' }],
    ],
    [
      'two additions without a name',
      [...base, { mandatory: true }],
      [...base, { id: '4', mandatory: false }],
      [...base, { mandatory: true }, { id: '4', mandatory: false }],
    ],
    [
      'an addition that both made',
      [...base, { fieldName: 'New', addButtonText: '' }, { fieldName: 'Mine' }],
      [{ id: '4', fieldName: 'New' }, pizza, member, renamed(car, 'B')],
      [{ id: '4', fieldName: 'New' }, { fieldName: 'Mine' }, pizza, member, renamed(car, 'B')],
    ],
    ['the same other order', [car, member, pizza], [car, member, pizza], [car, member, pizza]],
  ])('%s', (_, mine, theirs, fields) => {
    expect(mergeFields(base, mine, theirs)).toEqual({ fields });
  });
});

describe('what both sides changed differently is a conflict', () => {
  test.each<[what: string, mine: unknown[], theirs: unknown[], conflicts: string[]]>([
    ['a field', [renamed(pizza, 'A'), member, car], [renamed(pizza, 'B'), member, car], ['Pizza']],
    ['a field that one side removed', [member, car], [renamed(pizza, 'B'), member, car], ['Pizza']],
    [
      'a field that the other side removed',
      [renamed(pizza, 'A'), renamed(member, 'A'), car],
      [car],
      ['Pizza', 'Member'],
    ],
    [
      'an id that both gave',
      [...base, { id: '4', fieldName: 'Mine' }],
      [...base, { id: '4', fieldName: 'Theirs' }],
      ['Theirs'],
    ],
    [
      'a name that both gave to a new field',
      [...base, { fieldName: 'New', mandatory: true }],
      [...base, { id: '4', fieldName: 'New' }],
      ['New'],
    ],
    [
      'an addition that only one side made twice',
      [...base, { fieldName: 'New' }, { fieldName: 'New' }],
      [...base, { id: '4', fieldName: 'New' }],
      ['New'],
    ],
    ['the order', [car, pizza, member], [member, pizza, car], ['the order of the fields']],
    [
      'a field without an id',
      base,
      [...base, { fieldName: '' }],
      ['fields without an id of their own'],
    ],
    ['an id that two fields have', [...base, pizza], base, ['fields without an id of their own']],
    [
      'an id that is not a string',
      [...base, { id: 4 }],
      base,
      ['fields without an id of their own'],
    ],
    ['what is not a map', base, [...base, 'text'], ['fields without an id of their own']],
  ])('%s', (_, mine, theirs, conflicts) => {
    expect(mergeFields(base, mine, theirs)).toEqual({ conflicts });
  });

  test.each([undefined, '', 8])('a field whose name is %j is named by its id', (fieldName) => {
    const nameless = { id: '7', fieldName };
    const changed = (mandatory: unknown) => [{ ...nameless, mandatory }];
    expect(mergeFields([nameless], changed(1), changed(2))).toEqual({
      conflicts: ['the field with id 7'],
    });
  });
});

const ids = ['1', '2', '3', '4', '5', '6'];
const fields = fc
  .shuffledSubarray(ids)
  .chain((order) =>
    fc.tuple(
      ...order.map((id) =>
        fc.record({ id: fc.constant(id), fieldName: fc.constantFrom('a', 'b') }),
      ),
    ),
  );

test('a side without changes leaves the other one as it is', () => {
  fc.assert(
    fc.property(fields, fields, (before, after) => {
      expect(mergeFields(before, after, before)).toEqual({ fields: after });
      expect(mergeFields(before, before, after)).toEqual({ fields: after });
      expect(mergeFields(before, after, after)).toEqual({ fields: after });
    }),
  );
});

test('no change of either side is lost', () => {
  fc.assert(
    fc.property(fields, fields, fields, (before, mine, theirs) => {
      const { fields: merged } = mergeFields(before, mine, theirs);
      if (!merged) return;
      const byId = (list: readonly unknown[], id: string) =>
        list.find((field) => (field as { id: string }).id === id);
      for (const id of ids) {
        const [was, own, other, now] = [before, mine, theirs, merged].map((list) => byId(list, id));
        const isOwnChange = JSON.stringify(own) !== JSON.stringify(was);
        expect(now).toEqual(isOwnChange ? own : other);
      }
      expect(merged.length).toBe(new Set(merged.map((field) => (field as { id: string }).id)).size);
    }),
  );
});
