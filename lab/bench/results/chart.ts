import { median } from 'simple-statistics';
import { OPERATIONS } from '../candidates/candidate.ts';
import { FLOOR, OURS } from '../candidates/candidates.ts';
import type { Figures, PartFigures } from '../figures.ts';
import { JUDGED_MEGABYTES } from '../lambda/memory.ts';
import type { Call } from '../measurements/calls.ts';
import { startOf } from './judged-figures.ts';
import { OPERATION_IDS } from './operation-ids.ts';

/** A horizontal bar: parts that add up, such as initialisation and first call, and its label. */
interface Bar {
  readonly label: string;
  /** Not the sum of the parts: medians of parts do not add up to the median of the whole. */
  readonly total: number;
  readonly parts: readonly number[];
}

/** A group of bars with a scale of its own. */
interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 910;
const LABEL_WIDTH = 200;
const VALUE_WIDTH = 110;
const ROW_HEIGHT = 26;
const PANEL_HEADER_HEIGHT = 44;
const PANEL_GAP = 20;
const MARGIN = 20;

/** Draws starts and warm calls as SVG. Its description has all values as text. */
export function chart({ machine: { node, date }, lambda = [], warm = [] }: Figures): string {
  const panels = [
    ...OPERATIONS.map((operation) => startPanel(lambda, operation)),
    warmPanel(warm, 'getConfig, cached', 'Warm: CPU time of a getConfig from the cache'),
    warmPanel(warm, 'promoCode/apply', 'Warm: CPU time of a promoCode/apply'),
  ].filter(({ bars }) => bars.length > 0);
  let top = 16;
  const drawn = panels.map((panel) => {
    const svg = drawPanel(panel, top);
    top += PANEL_HEADER_HEIGHT + panel.bars.length * ROW_HEIGHT + PANEL_GAP;
    return svg;
  });
  const described = panels.map(
    ({ title, unit, bars }) =>
      `${title}: ${bars.map(({ label, total }) => `${label} ${total.toFixed(0)} ${unit}`).join(', ')}.`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top + 30}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13">
  <title>Starts and warm calls, side by side</title>
  <desc>${described.join(' ')}</desc>
  <style>
    rect { fill: #57606a; } .second { fill: #b1bac4; } .ours { fill: #0969da; } .ours.second { fill: #54aeff; }
    text { fill: #1f2328; } .title { font-weight: 600; } .note { font-size: 11.5px; fill: #57606a; }
  </style>
  <rect width="${WIDTH}" height="${top + 30}" rx="8" style="fill: #ffffff"/>
  ${drawn.join('\n  ')}
  <text class="note" x="${MARGIN}" y="${top + 11}">dark: initialisation, or the whole; light: first call</text>
  <text class="note" x="${WIDTH - MARGIN}" y="${top + 11}" text-anchor="end">medians, Node ${node}, ${date}</text>
</svg>
`;
}

function startPanel(lambda: PartFigures['lambda'], operation: (typeof OPERATIONS)[number]): Panel {
  return {
    title: `As Lambda: initialisation and first call of ${OPERATION_IDS[operation]}, with ${JUDGED_MEGABYTES} MB`,
    unit: 'ms',
    bars: lambda
      .filter((one) => one.operation === operation)
      .map(({ candidate, measured }) => ({
        label: candidate,
        total: median(startOf(measured)),
        parts: [median(measured.initialisation), median(measured.first)],
      })),
  };
}

function warmPanel(warm: PartFigures['warm'], shown: Call, title: string): Panel {
  // The floor has no cache: its read takes the place of a cached call.
  const isShown = ({ candidate, call }: PartFigures['warm'][number]) =>
    candidate === FLOOR.name && shown === 'getConfig, cached'
      ? call === 'getConfig, read'
      : call === shown;
  return {
    title,
    unit: 'µs',
    bars: warm.filter(isShown).map(({ candidate, call, measured: { cpu } }) => ({
      label: call === shown ? candidate : `${candidate}, which reads`,
      total: median(cpu),
      parts: [median(cpu)],
    })),
  };
}

function drawPanel({ title, unit, bars }: Panel, top: number): string {
  const sorted = bars.toSorted((one, other) => one.total - other.total);
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / (sorted.at(-1)?.total ?? 1);
  const rows = sorted.map(({ label, total, parts }, index) => {
    const y = top + PANEL_HEADER_HEIGHT + index * ROW_HEIGHT;
    let x = LABEL_WIDTH;
    const isOurs = label === OURS.name;
    const rects = parts.map((part, number) => {
      const classes = [isOurs ? 'ours' : '', number > 0 ? 'second' : ''].filter(Boolean).join(' ');
      const rect = `<rect class="${classes}" x="${x.toFixed(1)}" y="${y}" width="${(part * scale).toFixed(1)}" height="18"/>`;
      x += part * scale;
      return rect;
    });
    const weight = isOurs ? ' class="title"' : '';
    return `<text${weight} x="${LABEL_WIDTH - 10}" y="${y + 14}" text-anchor="end">${label}</text>${rects.join('')}<text${weight} x="${(x + 8).toFixed(1)}" y="${y + 14}">${total.toFixed(0)} ${unit}</text>`;
  });
  return [`<text class="title" x="${MARGIN}" y="${top + 22}">${title}</text>`, ...rows].join(
    '\n  ',
  );
}
