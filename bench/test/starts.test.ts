import { expect, test } from 'vitest';
import type { Bundles } from '../candidates/candidate.ts';
import { fastestStart, type LambdaStartFigures, timeOf, withMoreRounds } from '../lambda/starts.ts';

const figures = (
  candidate: string,
  operation: LambdaStartFigures['operation'],
  samples: readonly number[],
): LambdaStartFigures => ({
  candidate,
  operation,
  megabytes: 1024,
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

/** The bundles of a candidate, of which only the names matter here. */
function bundlesOf(candidate: string): Bundles {
  const bundle = { candidate, folder: '', bytes: 0 };
  return {
    'get-config': { ...bundle, operation: 'get-config' },
    'apply-promo-code': { ...bundle, operation: 'apply-promo-code' },
  };
}

test('the best peer has the shortest initialisation and first call of promoCode/apply, by their medians', () => {
  const names = ['hono', 'express', 'fastify'];
  const [hono, express, fastify] = names.map(bundlesOf);
  const starts = [
    ...names.map((name) => figures(name, 'get-config', name === 'express' ? [1] : [9])),
    figures('hono', 'apply-promo-code', [3, 3, 3]),
    figures('express', 'apply-promo-code', [1, 4, 4]),
    // The mean of hono is less, and so is what express takes at least.
    figures('fastify', 'apply-promo-code', [2, 2, 90]),
  ];
  const all = [hono, express, fastify].filter((one) => one !== undefined);
  expect(fastestStart(all, starts)).toBe(fastify);
  expect(fastestStart(all.slice(0, 2), starts)).toBe(hono);
  expect(all).toEqual([hono, express, fastify]);
  for (const part of ['initialisation', 'first'] as const) {
    const slower = starts.map(({ measured, ...one }) =>
      one.candidate === 'fastify'
        ? { ...one, measured: { ...measured, [part]: [20] } }
        : { ...one, measured },
    );
    expect(fastestStart(all, slower), part).toBe(hono);
  }
  expect(fastestStart([], starts)).toBeUndefined();
});

test('only a call that succeeds has a time', async () => {
  const { 'get-config': bundle } = bundlesOf('hono');
  const answering = (statusCode: number) => ({
    ...{ initialised: 1, stop: async () => {} },
    call: async () => ({ ms: 7, statusCode, body: 'why' }),
  });
  expect(await timeOf(answering(200), {}, bundle)).toBe(7);
  await expect(timeOf(answering(503), {}, bundle)).rejects.toThrow(
    'hono responded to get-config with status 503: why',
  );
});
