import { median } from 'simple-statistics';
import { FLOOR, OURS, RUNTIME } from './candidates.ts';
import type { Figures } from './figures.ts';

const WIDTH = 910;
const LABELS = 200;
const ROW = 26;
const PANEL_HEAD = 44;

/** A bar, divided into parts. */
interface Bar {
  readonly label: string;
  /** Of its own, since medians of parts do not add up to the median of the whole. */
  readonly total: number;
  readonly parts: readonly { readonly value: number; readonly kind: string }[];
}

interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

/** A picture of cold starts and warm calls, as SVG. */
export function chart(figures: Figures): string {
  const panels = [
    cold(figures),
    warm(figures, 'getConfig, cached', 'Warm: CPU time of a getConfig from the cache'),
    warm(figures, 'promoCode/apply', 'Warm: CPU time of a promoCode/apply'),
  ];
  let top = 16;
  const drawn = panels.map((panel) => {
    const svg = drawnAt(panel, top);
    top += PANEL_HEAD + panel.bars.length * ROW + 20;
    return svg;
  });
  const legend = LEGEND.map(
    ([kind, text], index) =>
      `<rect class="${kind}" x="${20 + index * 170}" y="${top}" width="12" height="12"/><text x="${38 + index * 170}" y="${top + 11}">${text}</text>`,
  );
  const height = top + 30;
  const { node, date } = figures.machine;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13">
  <title>Cold starts and warm calls, side by side</title>
  <desc>${described(panels)}</desc>
  <style>
    .ours { fill: #0969da; } .other { fill: #8c959f; } .floor { fill: #57606a; }
    .Node { fill: #d0d7de; } .load { fill: #54aeff; } .init { fill: #0969da; } .call { fill: #0a3069; }
    text { fill: #1f2328; } .title { font-weight: 600; } .note { font-size: 11.5px; fill: #57606a; }
  </style>
  <rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff"/>
  ${drawn.join('\n  ')}
  ${legend.join('\n  ')}
  <text class="note" x="${WIDTH - 20}" y="${top + 11}" text-anchor="end">medians, Node ${node}, ${date}</text>
</svg>
`;
}

const LEGEND = [
  ['Node', 'Node itself'],
  ['load', 'loading modules'],
  ['init', 'running them'],
  ['call', 'first call'],
] as const;

function cold({ cold }: Figures): Panel {
  return {
    title: 'Cold: from a new process to the first answer of getConfig',
    unit: 'ms',
    bars: cold
      .filter(({ operation }) => operation === 'get-config')
      .map(({ contestant, measured }) => ({
        label: contestant,
        total: median(measured.total),
        parts: [
          { kind: 'Node', value: median(measured.boot) },
          { kind: 'load', value: median(measured.loading) },
          { kind: 'init', value: median(measured.initialising) },
          { kind: 'call', value: median(measured.firstCall) },
        ],
      }))
      .sort(byTotal),
  };
}

function warm({ warm }: Figures, call: string, title: string): Panel {
  return {
    title,
    unit: 'µs',
    bars: warm
      // The floor has no cache: what it takes is a read.
      .filter((one) =>
        one.contestant === FLOOR.name && call === 'getConfig, cached'
          ? one.call === 'getConfig, read'
          : one.call === call,
      )
      .map(({ contestant, call: its, measured }) => ({
        label: its === call ? contestant : `${contestant}, which reads`,
        total: median(measured.cpu),
        parts: [{ kind: kindOf(contestant), value: median(measured.cpu) }],
      }))
      .sort(byTotal),
  };
}

function kindOf(contestant: string): string {
  if (contestant === OURS.name) return 'ours';
  return contestant === FLOOR.name || contestant === RUNTIME.name ? 'floor' : 'other';
}

function byTotal(one: Bar, other: Bar): number {
  return one.total - other.total;
}

function drawnAt({ title, unit, bars }: Panel, top: number): string {
  const longest = Math.max(...bars.map(({ total }) => total));
  const scale = (WIDTH - LABELS - 110) / longest;
  const rows = bars.map((bar, index) => {
    const y = top + PANEL_HEAD + index * ROW;
    let x = LABELS;
    const rects = bar.parts.map(({ kind, value }) => {
      const width = value * scale;
      const rect = `<rect class="${kind}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="18"/>`;
      x += width;
      return rect;
    });
    const weight = bar.label === OURS.name ? ' class="title"' : '';
    return `<text${weight} x="${LABELS - 10}" y="${y + 14}" text-anchor="end">${bar.label}</text>${rects.join('')}<text${weight} x="${(x + 8).toFixed(1)}" y="${y + 14}">${bar.total.toFixed(0)} ${unit}</text>`;
  });
  return [`<text class="title" x="20" y="${top + 22}">${title}</text>`, ...rows].join('\n  ');
}

function described(panels: readonly Panel[]): string {
  return panels
    .map(
      ({ title, unit, bars }) =>
        `${title}: ${bars.map((bar) => `${bar.label} ${bar.total.toFixed(0)} ${unit}`).join(', ')}.`,
    )
    .join(' ');
}
