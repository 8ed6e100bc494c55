import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import type { PlannedChange } from '../../../../core/configuration/plan-change.ts';
import { reviewChange } from '../../../../core/configuration/review-change.ts';

/** A field without a finding. */
const field = (id: string, fieldName = `Field ${id}`) => ({
  ...{ id, fieldType: 'text', fieldName, mandatory: false, appUIs: ['profile'] },
  allowMultiple: false,
  subFieldA: {
    ...{ subType: 'text', placeHolderText: '', allowCopies: true, maxChars: 9 },
    ...{ alpha: true, numbers: true, symbols: true },
  },
});
const broken = (id: string) => ({ ...field(id), mandatory: 'yes' });

/** A change from some fields to others. */
function planned(before: unknown, after: readonly unknown[]): PlannedChange {
  const content = marshall({ fields: before, lastFieldId: 9 }, { removeUndefinedValues: true });
  return {
    before: { clientId: 'pizza', content, misspelled: {} },
    after: { fields: marshall({ after }).after as AttributeValue, lastFieldId: { N: '9' } },
    removes: {},
  };
}

describe('a configuration with more errors than the current one', () => {
  const plan = planned([field('1'), field('2')], [field('1'), broken('2')]);
  const more = 'It has 1 error, and what apps get now has no errors.';

  test('is refused', () => {
    const { refusal, dangers, findings, hasEffect } = reviewChange(plan);
    expect({ refusal, dangers }).toEqual({ refusal: more, dangers: [] });
    expect(hasEffect).toBe(true);
    expect(findings).toMatchObject([{ severity: 'error', path: ['fields', 1, 'mandatory'] }]);
  });

  test('that was live may be brought back, if that is what is meant', () => {
    const { refusal, dangers, findings } = reviewChange({ ...plan, restores: 3 });
    expect({ refusal, dangers }).toEqual({ refusal: undefined, dangers: [more] });
    expect(findings).toHaveLength(1);
  });
});

test('to remove the only field is named in the singular', () => {
  expect(reviewChange(planned([field('1')], [])).dangers).toEqual(['1 of 1 field is removed.']);
});

test('a configuration with errors that are not more than now may be published', () => {
  const { refusal, dangers, findings } = reviewChange(
    planned([broken('1'), broken('2')], [broken('1'), field('2')]),
  );
  expect({ refusal, dangers }).toEqual({ refusal: undefined, dangers: [] });
  expect(findings).toHaveLength(1);
});

test.each<[removed: number, dangers: string[]]>([
  [0, []],
  [2, []],
  [3, ['3 of 4 fields are removed.']],
  [4, ['4 of 4 fields are removed.']],
])('to remove %d of 4 fields: %j', (removed, dangers) => {
  const fields = ['1', '2', '3', '4'].map((id) => field(id));
  // New fields do not make up for it.
  const after = [...fields.slice(removed), field('5'), field('6')];
  expect(reviewChange(planned(fields, after)).dangers).toEqual(dangers);
});

test('warnings of the result are found, though it is in neither of what was merged', () => {
  const plan = planned([field('1'), field('2', 'Car')], [field('1', 'Car'), field('2', 'Car')]);
  const { findings, refusal, dangers } = reviewChange({ ...plan, mergedWith: [] });
  expect(findings).toMatchObject([{ severity: 'warning', path: ['fields', 1, 'fieldName'] }]);
  expect({ refusal, dangers }).toEqual({ refusal: undefined, dangers: [] });
});

describe('an attribute that looks misspelled', () => {
  const misspelled = marshall({ feilds: [field('1')] });
  const plan = planned(undefined, [field('1')]);
  const before = { ...plan.before, misspelled };

  test('is no finding any more if it is removed, and the removal is said', () => {
    const { findings, changes, hasEffect } = reviewChange({
      ...plan,
      before,
      removes: misspelled,
    });
    expect(findings).toEqual([]);
    expect(changes).toEqual([
      'The attribute feilds is removed.',
      'Field 1 is added as number 1: text, optional.',
    ]);
    expect(hasEffect).toBe(true);
  });

  test('is a finding as long as it stays', () => {
    const { findings, keptFindings, changes } = reviewChange({ ...plan, before });
    expect(findings).toEqual([]);
    expect(keptFindings).toMatchObject([{ severity: 'error', path: ['feilds'] }]);
    expect(changes).toEqual(['Field 1 is added as number 1: text, optional.']);
  });

  test('is kept apart from the findings of the configuration', () => {
    const { findings, keptFindings } = reviewChange({
      ...planned(undefined, [broken('1')]),
      before,
    });
    expect(findings).toMatchObject([{ path: ['fields', 0, 'mandatory'] }]);
    expect(keptFindings).toMatchObject([{ path: ['feilds'] }]);
  });

  test('alone is a change, if it is removed', () => {
    const same = planned([field('1')], [field('1')]);
    expect(reviewChange(same).hasEffect).toBe(false);
    const withMisspelled = { ...same, before: { ...same.before, misspelled } };
    expect(reviewChange(withMisspelled).hasEffect).toBe(false);
    expect(reviewChange({ ...withMisspelled, removes: misspelled }).hasEffect).toBe(true);
  });
});

test('a field without an id counts as removed if all fields have one afterwards', () => {
  const { dangers } = reviewChange(planned([{ fieldName: 'Hobby' }], [field('1')]));
  expect(dangers).toEqual(['1 of 1 field is removed.']);
});

test('fields that are not a list are not silently replaced', () => {
  const { changes, dangers } = reviewChange(planned('1, 2, 3', [field('1')]));
  expect(dangers).toEqual([]);
  expect(changes).toEqual([
    'fields was not a list, so apps got none of it: it is replaced.',
    'Field 1 is added as number 1: text, optional.',
  ]);
});

test('a null that somebody stored by hand prevents no rollback', () => {
  const plan = planned([{ ...field('1'), fieldName: null }, null], [field('1')]);
  const { changes, refusal, findings } = reviewChange({ ...plan, restores: 1 });
  expect({ refusal, findings }).toEqual({ refusal: undefined, findings: [] });
  expect(changes).toContain('Field 1: fieldName is Field 1 instead of null.');
});
