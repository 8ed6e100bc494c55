import { marshall } from '@aws-sdk/util-dynamodb';
import { readClient } from 'customer-data-api/clients';
import { harmIn } from 'customer-data-api/effects';
import { PIZZA } from 'customer-data-api/testing/configurations';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Plan, Step } from '../../../configurations/plan-draft.ts';
import { reviewPlan } from '../../../configurations/review-plan.ts';

/** A field without a finding. */
const field = (id: string, fieldName: unknown = `Field ${id}`) => ({
  ...parse(PIZZA).fields[1],
  id,
  fieldName,
});
const broken = (id: string) => ({ ...field(id), mandatory: 'yes' });
const chosen = (value: string) => {
  const [drop] = parse(PIZZA).fields;
  return { ...drop, subFieldA: { ...drop.subFieldA, optionsArray: [{ value, display: 'A' }] } };
};
const numbered = (...ids: number[]) => ids.map((id) => field(String(id)));

/** A change from some fields, and a rollout beside them, to other fields. */
function planned(before: unknown, after: unknown, rollout?: object): Plan {
  const stored = (item: object) =>
    readClient(
      marshall({ clientId: 'pizza', ...item, lastFieldId: 9 }, { removeUndefinedValues: true }),
    );
  return {
    step: { kind: 'publish' },
    before: stored({ fields: before, rollout }),
    after: stored({ fields: after }).live as Plan['after'],
  };
}

test.each<[string, before: unknown, after: unknown, refused: boolean, harm: number]>([
  ['more errors than now', [field('1'), field('2')], [field('1'), broken('2')], true, 1],
  [
    'as many errors as now',
    [broken('1'), ...numbered(2, 3)],
    [...numbered(1, 2), broken('3')],
    false,
    1,
  ],
  ['an error in all that apps get', [broken('1'), field('2')], [field('1'), broken('2')], false, 2],
  ['fewer errors than now', [broken('1'), broken('2')], [broken('1'), field('2')], false, 0],
  // It is served once it is stored.
  ['an option that loses the answer', [chosen('a')], [chosen('')], true, 0],
  ['a field beside such an option', [chosen('')], [chosen(''), field('2')], false, 0],
  ['no field less', numbered(1, 2, 3, 4), numbered(1, 2, 3, 4, 5), false, 0],
  ['half of the fields less', numbered(1, 2, 3, 4), numbered(3, 4), false, 0],
  // New fields do not make up for it.
  ['three of four less', numbered(1, 2, 3, 4), numbered(4, 5, 6, 7), false, 1],
  ['the only field less', numbered(1), [], false, 1],
  ['a field instead of one that apps do not get', [{ fieldName: 'Hobby' }], numbered(1), false, 0],
  ['fields instead of what is no list', '1, 2, 3', numbered(1), false, 0],
])('a change to %s is refused, or has to be confirmed', (_, before, after, refused, harm) => {
  const plan = planned(before, after);
  const review = reviewPlan(plan);
  expect([review.refusal !== undefined, harmIn(review.effects).length]).toEqual([refused, harm]);
  // What was live before may be brought back with its errors, if that is what is meant.
  const rollback = reviewPlan({ ...plan, step: { kind: 'publish', restores: 3 } });
  expect(rollback.refusal).toBeUndefined();
  expect(harmIn(rollback.effects)).toHaveLength(harm + Number(refused));
  expect(rollback.hasEffect).toBe(true);
});

test('inputs of a combo keep their places, but for a rollback', () => {
  const [, , car] = parse(PIZZA).fields;
  const exchanged = { ...car, subFieldA: car.subFieldB, subFieldB: car.subFieldA };
  const plan = planned([car], [exchanged]);
  const started = { id: 'one', percent: 5, devices: [] };
  for (const step of [plan.step, { kind: 'rollOut', rollout: started } as const])
    expect(reviewPlan({ ...plan, step }).refusal?.code).toBe('inputsExchanged');
  const rollback = reviewPlan({ ...plan, step: { kind: 'publish', restores: 3 } });
  expect(rollback.refusal).toBeUndefined();
  expect(harmIn(rollback.effects)).toMatchObject([{ code: 'inputsExchanged' }]);
});

test('a publication beside a preview is reviewed by itself, and has to fit beside it', () => {
  const long = numbered(1, 2).map((one) => ({ ...one, addButtonText: 'x'.repeat(120_000) }));
  const preview = { id: 'one', percent: 0, devices: ['phone'], fields: [] };
  // Customers lose what a candidate has lost, too, and have to be asked for.
  expect(harmIn(reviewPlan(planned(numbered(1), [], preview)).effects)).toHaveLength(1);
  expect(reviewPlan(planned(numbered(1), long, preview)).refusal).toBeUndefined();
  const large = planned(numbered(1), long, { ...preview, fields: long });
  expect(reviewPlan(large).refusal?.code).toBe('moreErrors');
});

test('the findings are those of the result, also if neither side has them', () => {
  const merged = planned(numbered(1, 2), [field('1', 'Car'), field('1', 'Bus')]);
  expect(reviewPlan(merged).findings).toMatchObject([{ code: 'duplicateId' }]);
  const worse = planned([], [broken('1')]);
  expect(reviewPlan(worse).findings).toMatchObject([{ path: ['fields', 0, 'mandatory'] }]);
  const repaired = planned([{ ...field('1', null) }, null], numbered(1));
  expect(reviewPlan(repaired).findings).toEqual([]);
});

test.each<[what: string, percent: number | undefined, rollout: object | undefined, harm: number]>([
  ['starts', 5, undefined, 1],
  ['starts for nobody', 0, undefined, 0],
  ['gets a first share', 5, { percent: 0, fields: [] }, 1],
  ['gets a larger share', 50, { percent: 5, fields: [] }, 0],
  ['gets a share after its named devices', 5, { percent: 0, devices: ['a'], fields: [] }, 0],
  ['goes live', undefined, { percent: 5, fields: [] }, 0],
  ['goes live before a device had it', undefined, { percent: 0, fields: [] }, 1],
  ['goes live merged, with less', undefined, { percent: 5, fields: numbered(1, 2) }, 1],
])('what a candidate loses is confirmed once: it %s', (_, percent, rollout, harm) => {
  const plan = planned(numbered(1, 2), [], rollout && { id: 'one', ...rollout });
  const step: Step =
    percent === undefined
      ? { kind: 'publish', ends: 'finish' }
      : { kind: 'rollOut', rollout: { id: 'one', percent, devices: [] } };
  const { effects } = reviewPlan({ ...plan, step });
  expect(harmIn(effects)).toHaveLength(harm);
});
