import { expect, test } from 'vitest';
import { FLOOR, OURS } from '../candidates/candidates.ts';
import type { Figures } from '../figures.ts';
import type { LambdaStartFigures } from '../lambda/starts.ts';
import type { ColdFigures } from '../measurements/cold.ts';
import type { WarmFigures } from '../measurements/warm.ts';
import { judgedFigures } from '../results/judged-figures.ts';
import { LIMITS, verdictsOn } from '../verdicts.ts';
import { figuresFixture } from './figures-fixture.ts';

const figures = figuresFixture();

/** The fixture with other cold starts: `change` returns the figures that differ. */
function withCold(change: (one: ColdFigures) => Partial<ColdFigures['measured']> | undefined) {
  const cold = figures.cold.map((one) => ({
    ...one,
    measured: { ...one.measured, ...change(one) },
  }));
  return { ...figures, cold };
}

/** The fixture with other starts as Lambda: `change` returns the figures that differ. */
function withLambda(
  change: (one: LambdaStartFigures) => Partial<LambdaStartFigures['measured']> | undefined,
) {
  const lambda = figures.lambda.map((one) => ({
    ...one,
    measured: { ...one.measured, ...change(one) },
  }));
  return { ...figures, lambda };
}

/** The figures that differ from those of the fixture. */
function changedBy(other: Figures) {
  const before = judgedFigures(figures);
  return Object.entries(judgedFigures(other)).filter(
    ([name, value]) => value !== before[name as keyof typeof before],
  );
}

/** The fixture with other warm calls: `change` returns the figures that differ. */
function withWarm(change: (one: WarmFigures) => Partial<WarmFigures['measured']> | undefined) {
  const warm = figures.warm.map((one) => ({
    ...one,
    measured: { ...one.measured, ...change(one) },
  }));
  return { ...figures, warm };
}

test('equal figures have a ratio of 1', () => {
  expect(judgedFigures(figures)).toEqual({
    ...Object.fromEntries(Object.keys(LIMITS).map((figure) => [figure, 1])),
    'bundle, each function, KB': 100,
    'getConfig, growth of time / growth of bytes': 1 / 100,
  });
});

test.each([
  ['cold, ours / the same calls, default main fields', 'floor, default fields'],
  ['cold, ours / the same calls, SDK not bundled', 'floor, SDK not bundled'],
  ['cold, ours / floor', 'floor'],
  ['cold, ours / best peer', 'hono'],
  ['cold, ours / best peer', 'express'],
] as const)('%s: the worst operation next to %s counts', (figure, other) => {
  for (const operation of ['get-config', 'apply-promo-code'] as const) {
    const faster = withCold((one) =>
      one.candidate === other && one.operation === operation ? { total: [50, 50, 50] } : undefined,
    );
    expect(changedBy(faster)).toEqual([[figure, 2]]);
  }
});

test.each(['get-config', 'apply-promo-code'] as const)(
  'as Lambda: the worst operation counts, here %s',
  (worse) => {
    const slower = (name: string, part: keyof LambdaStartFigures['measured']) =>
      changedBy(
        withLambda(({ candidate, operation }) =>
          candidate === name && operation === worse ? { [part]: [50, 50, 50] } : undefined,
        ),
      );
    expect(slower(FLOOR.name, 'first')).toEqual([
      ['as Lambda, 1,024 MB: first call, ours / floor', 2],
      ['as Lambda, 1,024 MB: init and first call, ours / floor', 200 / 150],
    ]);
    expect(slower(FLOOR.name, 'initialisation')).toEqual([
      ['as Lambda, 1,024 MB: init and first call, ours / floor', 200 / 150],
    ]);
    expect(slower('express', 'first')).toEqual([
      ['as Lambda, 1,024 MB: init and first call, ours / best peer', 200 / 150],
    ]);
    expect(slower('express', 'second')).toEqual([]);
  },
);

test('load: the p99 of ours is compared with that of the peer', () => {
  const load = figures.load.map((one) =>
    one.candidate === OURS.name ? { ...one, latencies: [30, 30, 30] } : one,
  );
  expect(changedBy({ ...figures, load })).toEqual([['load: p99, ours / best peer', 3]]);
});

/** The fixture with other latencies of one candidate: so many calls in two hundred took another time. */
function withLatencies(name: string, latency: number, count: number) {
  const latencies = Array.from({ length: 200 }, (_, index) => (index < count ? latency : 10));
  const load = figures.load.map((one) => (one.candidate === name ? { ...one, latencies } : one));
  return { ...figures, load };
}

test('load: two slow calls in a hundred count, one in two hundred does not', () => {
  expect(changedBy(withLatencies(OURS.name, 40, 4))).toEqual([['load: p99, ours / best peer', 4]]);
  expect(changedBy(withLatencies(OURS.name, 40, 1))).toEqual([]);
});

test('load: with two failed calls in a hundred, of ours or of the peer, the figure does not hold', () => {
  for (const { candidate } of figures.load) {
    expect(heldBy(withLatencies(candidate, Number.POSITIVE_INFINITY, 4))).toEqual([
      'load: p99, ours / best peer: does not hold',
    ]);
  }
});

test.each(['cpu', 'p50'] as const)(
  'warm: the %s of the best peer counts, for each kind of call',
  (time) => {
    for (const kind of figures.warm.filter(({ candidate }) => candidate === 'express')) {
      const faster = withWarm(({ candidate, call }) =>
        candidate === 'express' && call === kind.call ? { [time]: [100, 100, 100] } : undefined,
      );
      expect(judgedFigures(faster)['warm, CPU and wall, ours / best peer']).toBe(
        time === 'cpu' ? 5 : 10,
      );
    }
  },
);

test('warm: a cached getConfig of ours is compared with a read of the floor', () => {
  const faster = withWarm(({ candidate, call }) => {
    if (candidate === FLOOR.name && call === 'getConfig, read') return { cpu: [1000, 1000, 1000] };
    if (candidate === FLOOR.name && call === 'promoCode/apply') return { cpu: [250, 250, 250] };
    if (candidate === OURS.name && call === 'getConfig, read') return { cpu: [9, 9, 9] };
    return undefined;
  });
  const judged = judgedFigures(faster);
  expect(judged['warm CPU, getConfig cached, ours / floor, read']).toBe(0.5);
  expect(judged['warm CPU per promo application, ours / floor']).toBe(2);
});

test('the largest function counts', () => {
  const functions = { ...figures.functions, 'store-queued-promo-events': 400 * 1024 };
  expect(judgedFigures({ ...figures, functions })['bundle, each function, KB']).toBe(400);
});

test('growth is the growth of the time from 10 to 1,000 fields, divided by that of the response', () => {
  const cpu = { 1: [1], 10: [100], 100: [1], 1000: [20_000] };
  const fields = figures.fields.map((step) => ({
    ...step,
    cpu: cpu[step.size as keyof typeof cpu],
  }));
  expect(judgedFigures({ ...figures, fields })['getConfig, growth of time / growth of bytes']).toBe(
    2,
  );
});

test('memory is compared after 10,000 and 1,000,000 calls', () => {
  const memory = [1, 10, 20].map((inUse, index) => ({
    ...{ calls: [0, 10_000, 1_000_000][index] ?? 0, rss: 100 },
    inUse,
  }));
  expect(judgedFigures({ ...figures, memory })['memory after 1,000,000 / after 10,000 calls']).toBe(
    2,
  );
});

function heldBy(others: Partial<Figures>): readonly string[] {
  return verdictsOn(judgedFigures({ ...figures, ...others }))
    .filter(({ value }) => Number.isNaN(value))
    .map(({ figure, holds }) => `${figure}: ${holds ? 'holds' : 'does not hold'}`);
}

test('without peers, the figures that compare with peers do not hold', () => {
  expect(heldBy({ peers: [] })).toEqual([
    'as Lambda, 1,024 MB: init and first call, ours / best peer: does not hold',
    'cold, ours / best peer: does not hold',
    'warm, CPU and wall, ours / best peer: does not hold',
  ]);
});

test('without cold starts, their figures do not hold', () => {
  expect(heldBy({ cold: [] })).toHaveLength(4);
});

test('the figures of parts that were not measured are missing', () => {
  const { machine, excluded, peers, functions, capacityUnits } = figures;
  const nothing = { machine, excluded, peers, functions, capacityUnits };
  expect(judgedFigures(nothing)).toEqual({ 'bundle, each function, KB': 100 });
});

test('a figure missing from a complete run is an error', () => {
  expect(() => judgedFigures({ ...figures, warm: [] })).toThrow('was not measured');
  expect(() => judgedFigures({ ...figures, memory: [] })).toThrow('was not measured');
});
