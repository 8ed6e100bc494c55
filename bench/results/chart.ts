import { median } from 'simple-statistics';
import { FLOOR, OURS, RUNTIME } from '../candidates/candidates.ts';
import type { Figures } from '../figures.ts';
import type { Call } from '../measurements/calls.ts';
import type { Samples } from '../measurements/rounds.ts';
import { type Bar, barChart, type Panel } from './bar-chart.ts';

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

/** Draws the cold starts and warm calls of a run as SVG. */
export function chart(figures: Figures): string {
  const { node, date } = figures.machine;
  return barChart({
    title: 'Cold starts and warm calls, side by side',
    panels: [
      cold(figures),
      warm(figures, 'getConfig, cached', 'Warm: CPU time of a getConfig from the cache'),
      warm(figures, 'promoCode/apply', 'Warm: CPU time of a promoCode/apply'),
    ],
    colours: COLOURS,
    legend: LEGEND,
    note: `medians, Node ${node}, ${date}`,
  });
}

function cold({ cold }: Figures): Panel {
  return {
    title: 'Cold: from a new process to the first response of getConfig',
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

function warm({ warm }: Figures, shown: Call, title: string): Panel {
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
