import { median, quantile } from 'simple-statistics';
import { DEFAULT_MEMORY_MEGABYTES } from '../../lib/settings/capacity.ts';
import { OPERATIONS } from '../candidates/candidate.ts';
import { FLOOR, OURS, RUNTIME } from '../candidates/candidates.ts';
import type { Figures, PartFigures } from '../figures.ts';
import { JUDGED_MEGABYTES } from '../lambda/memory.ts';
import type { MemorySizeFigures } from '../lambda/memory-sizes.ts';
import type { Call } from '../measurements/calls.ts';
import type { Samples } from '../measurements/rounds.ts';
import { type Bar, barChart, type Panel } from './bar-chart.ts';
import { dollarsOf } from './memory-size.ts';
import { OPERATION_IDS } from './operation-ids.ts';

const COLOURS = {
  ours: '#0969da',
  peer: '#8c959f',
  floor: '#57606a',
  boot: '#d0d7de',
  loading: '#54aeff',
  initialising: '#0969da',
  'first-call': '#0a3069',
} as const;
type Colour = keyof typeof COLOURS;

const LEGEND: readonly { readonly colour: Colour; readonly text: string }[] = [
  { colour: 'boot', text: 'Node itself' },
  { colour: 'loading', text: 'loading modules' },
  { colour: 'initialising', text: 'running them' },
  { colour: 'first-call', text: 'first call' },
];

/** Draws what was measured of starts, memory sizes and warm calls as SVG. */
export function chart(figures: Figures): string {
  const { node, date } = figures.machine;
  return barChart({
    title: 'Starts and warm calls, side by side',
    panels: [
      ...(figures.lambda ? lambdaPanels(figures.lambda) : []),
      ...(figures.sizes ? sizePanels(figures.sizes) : []),
      ...(figures.warm
        ? [
            warm(figures.warm, 'getConfig, cached', 'Warm: CPU time of a getConfig from the cache'),
            warm(figures.warm, 'promoCode/apply', 'Warm: CPU time of a promoCode/apply'),
          ]
        : []),
      ...(figures.cold ? [cold(figures.cold)] : []),
    ],
    colours: COLOURS,
    legend: LEGEND,
    note: `medians, Node ${node}, ${date}`,
  });
}

function lambdaPanels(lambda: PartFigures['lambda']): Panel[] {
  return OPERATIONS.map((operation) => ({
    title: `As Lambda: initialisation and first call of ${OPERATION_IDS[operation]}, with ${JUDGED_MEGABYTES} MB`,
    unit: 'ms',
    bars: lambda
      .filter((one) => one.operation === operation && one.megabytes === JUDGED_MEGABYTES)
      .map(({ candidate, measured }) => ({
        label: candidate,
        ...startOf(measured.initialisation, measured.first),
        isEmphasised: candidate === OURS.name,
      }))
      .sort(byTotal),
  }));
}

/** The sizes by the operation that is the slower one. */
function sizePanels(sizes: PartFigures['sizes']): Panel[] {
  const applies = sizes.filter(({ operation }) => operation === 'apply-promo-code');
  const panel = (
    title: string,
    unit: string,
    digits: number,
    barOf: (size: MemorySizeFigures) => Pick<Bar, 'total' | 'parts'>,
  ): Panel => ({
    ...{ title, unit, digits },
    bars: applies.map((size) => ({
      label: `${size.megabytes} MB`,
      ...barOf(size),
      isEmphasised: size.megabytes === DEFAULT_MEMORY_MEGABYTES,
    })),
  });
  const plain = (value: number) => ({ total: value, parts: [{ colour: 'ours', value }] });
  return [
    panel('Memory: initialisation and first call of promoCode/apply', 'ms', 0, (size) =>
      startOf(size.initialisation, size.first),
    ),
    panel('Memory: p50 of warm calls of promoCode/apply', 'ms', 1, ({ warm }) =>
      plain(quantile([...warm], 0.5)),
    ),
    panel('Memory: p99 of warm calls of promoCode/apply', 'ms', 1, ({ warm }) =>
      plain(quantile([...warm], 0.99)),
    ),
    panel('Memory: US dollars of Lambda per million calls of promoCode/apply', '$', 2, (size) =>
      plain(dollarsOf(size)),
    ),
  ];
}

function startOf(initialisation: Samples, first: Samples): Pick<Bar, 'total' | 'parts'> {
  return {
    total: medianOf(initialisation.map((ms, round) => ms + (first[round] ?? Number.NaN))),
    parts: [part('initialising', initialisation), part('first-call', first)],
  };
}

function cold(cold: PartFigures['cold']): Panel {
  return {
    title:
      'Cold, with a whole CPU and without TLS: from a new process to the first response of getConfig',
    unit: 'ms',
    bars: cold
      .filter(({ operation }) => operation === 'get-config')
      .map(({ candidate, measured }) => ({
        label: candidate,
        total: medianOf(measured.total),
        parts: [
          part('boot', measured.boot),
          part('loading', measured.loading),
          part('initialising', measured.initialising),
          part('first-call', measured.firstCall),
        ],
        isEmphasised: candidate === OURS.name,
      }))
      .sort(byTotal),
  };
}

function warm(warm: PartFigures['warm'], shown: Call, title: string): Panel {
  return {
    title,
    unit: 'µs',
    bars: warm
      // The floor has no cache: its read takes the place of a cached call.
      .filter(({ candidate, call }) =>
        candidate === FLOOR.name && shown === 'getConfig, cached'
          ? call === 'getConfig, read'
          : call === shown,
      )
      .map(({ candidate, call, measured }) => ({
        label: call === shown ? candidate : `${candidate}, which reads`,
        total: medianOf(measured.cpu),
        parts: [part(colourOf(candidate), measured.cpu)],
        isEmphasised: candidate === OURS.name,
      }))
      .sort(byTotal),
  };
}

function part(colour: Colour, samples: Samples) {
  return { colour, value: medianOf(samples) };
}

function colourOf(candidate: string): Colour {
  if (candidate === OURS.name) return 'ours';
  return candidate === FLOOR.name || candidate === RUNTIME.name ? 'floor' : 'peer';
}

function medianOf(samples: Samples): number {
  return median(samples);
}

function byTotal(one: Bar, other: Bar): number {
  return one.total - other.total;
}
