import { expect, test } from 'vitest';
import { type LambdaStartFigures, withMoreRounds } from '../lambda/starts.ts';

const figures = (
  candidate: string,
  operation: LambdaStartFigures['operation'],
  samples: readonly number[],
): LambdaStartFigures => ({
  candidate,
  operation,
  measured: {
    initialisation: samples,
    first: samples.map((ms) => ms + 1),
    second: samples.map((ms) => ms + 2),
    tenth: samples.map((ms) => ms + 3),
  },
});

test('more rounds of some candidates follow those of all, in the same order', () => {
  const all = [
    figures('ours', 'get-config', [10, 20]),
    figures('ours', 'apply-promo-code', [30, 40]),
    figures('floor', 'get-config', [50, 60]),
    figures('hono', 'get-config', [70, 80]),
  ];
  const more = [
    figures('floor', 'get-config', [55]),
    figures('ours', 'apply-promo-code', [35]),
    figures('ours', 'get-config', [15]),
  ];

  expect(withMoreRounds(all, more)).toEqual([
    figures('ours', 'get-config', [10, 20, 15]),
    figures('ours', 'apply-promo-code', [30, 40, 35]),
    figures('floor', 'get-config', [50, 60, 55]),
    figures('hono', 'get-config', [70, 80]),
  ]);
});
