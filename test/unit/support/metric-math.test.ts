import { expect, test } from 'vitest';
import { evaluate } from '../../support/metric-math.ts';

/* The tests of alarms believe what this says that CloudWatch would compute. */

const x = [undefined, 3, undefined, 5];

test.each([
  ['FILL(x, REPEAT)', [undefined, 3, 3, 5]],
  ['FILL(x, 7)', [7, 3, 7, 5]],
  ['DIFF(FILL(x, REPEAT))', [undefined, undefined, 0, 2]],
  ['x + 1', [undefined, 4, undefined, 6]],
  ['10 - x - 1', [undefined, 6, undefined, 4]],
  ['IF(x >= 5, x, 0 - x)', [undefined, -3, undefined, 5]],
  ['6 / (x - 3)', [undefined, undefined, undefined, 3]],
])('%s', (expression, expected) => {
  expect(evaluate(expression, { x })).toEqual(expected);
});
