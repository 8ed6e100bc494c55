import { expect, test } from 'vitest';
import { DEFAULT_MEMORY_MEGABYTES } from '../../lib/settings/capacity.ts';
import { type Bar, barChart } from '../results/bar-chart.ts';
import { chart } from '../results/chart.ts';
import { figuresFixture } from './figures-fixture.ts';

/** The rectangles of an SVG with a colour, from the top to the bottom. */
const rectangles = (svg: string) =>
  [...svg.matchAll(/<rect class="(\w+)" x="([\d.]+)" y="\d+" width="([\d.]+)" height="18"/g)].map(
    ([, colour, x, width]) => ({ colour, x: Number(x), width: Number(width) }),
  );
/** The labels of the bars that are emphasised. */
const emphasised = (svg: string) =>
  [...svg.matchAll(/<text class="title"[^>]* text-anchor="end">([^<]*)</g)].map(
    ([, label]) => label,
  );

const bar = (label: string, ...values: number[]): Bar => ({
  ...{ label, isEmphasised: label === 'long' },
  total: values.reduce((sum, value) => sum + value, 0),
  parts: values.map((value, index) => ({ colour: `part${index}`, value })),
});

const svg = barChart({
  panels: [
    { title: 'One', unit: 'ms', bars: [bar('short', 5), bar('long', 6, 4)] },
    { title: 'Other', unit: 'MB', bars: [bar('half', 50), bar('long', 100)] },
  ],
  ...{ title: 'Title', colours: {}, note: 'a note' },
  legend: [
    { colour: 'part0', text: 'a part' },
    { colour: 'part1', text: 'another part' },
  ],
});

test('the longest bar takes the width of its panel, and the others their share of it, part by part', () => {
  expect(rectangles(svg)).toEqual([
    { colour: 'part0', x: 200, width: 300 },
    { colour: 'part0', x: 200, width: 360 },
    { colour: 'part1', x: 560, width: 240 },
    { colour: 'part0', x: 200, width: 300 },
    { colour: 'part0', x: 200, width: 600 },
  ]);
  expect(emphasised(svg)).toEqual(['long', 'long']);
});

test('nothing is drawn on top of anything else, or outside the chart', () => {
  const texts = [...svg.matchAll(/<text[^>]* y="(\d+)"[^>]*>([^<]*)</g)];
  const rows = Map.groupBy(texts, ([, y]) => Number(y));
  expect([...rows.values()].map((row) => row.map(([, , text]) => text))).toEqual([
    ['One'],
    ['short', '5 ms'],
    ['long', '10 ms'],
    ['Other'],
    ['half', '50 MB'],
    ['long', '100 MB'],
    ['a part', 'another part', 'a note'],
  ]);
  const heights = [...rows.keys()];
  for (const [index, y] of heights.entries()) {
    expect(y).toBeGreaterThanOrEqual((heights[index - 1] ?? 0) + 18);
  }
  const [, height] = /viewBox="0 0 910 (\d+)"/.exec(svg) ?? [];
  expect(Number(height)).toBeGreaterThan(heights.at(-1) ?? Number.NaN);
});

test('ours and the default size of memory are emphasised, in each panel', () => {
  const labels = emphasised(chart(figuresFixture()));
  expect(labels).toEqual([
    ...['ours', 'ours'],
    ...Array(4).fill(`${DEFAULT_MEMORY_MEGABYTES} MB`),
    ...['ours', 'ours', 'ours'],
  ]);
});

test('bars of warm calls have the colour of their candidate, and starts those of their parts', () => {
  const colours = new Map<string, Set<string>>();
  const bars = chart(figuresFixture()).matchAll(
    /text-anchor="end">([^<]+)<\/text>((?:<rect [^>]*>)+)<text/g,
  );
  for (const [, label = '', rects = ''] of bars) {
    const parts = [...rects.matchAll(/class="([\w-]+)"/g)].map(([, colour]) => colour);
    colours.set(label, (colours.get(label) ?? new Set()).add(parts.join(' ')));
  }
  const starts = ['initialising first-call', 'boot loading initialising first-call'];
  expect(colours.get('ours')).toEqual(new Set([...starts, 'ours']));
  expect(colours.get('hono')).toEqual(new Set([...starts, 'peer']));
  expect(colours.get('floor')).toEqual(new Set([...starts, 'floor']));
  expect(colours.get('floor, which reads')).toEqual(new Set(['floor']));
  expect(colours.get('512 MB')).toEqual(new Set(['initialising first-call', 'ours']));
});
