/** One part of a bar. */
export interface Part {
  readonly value: number;
  /** The key of its colour. */
  readonly colour: string;
}

/** A bar that is divided into parts. */
export interface Bar {
  readonly label: string;
  /**
   * The printed value. It is not the sum of the parts, because medians of parts do not add up to
   * the median of the whole.
   */
  readonly total: number;
  readonly parts: readonly Part[];
  readonly isEmphasised: boolean;
}

/** A group of bars with a scale of its own. */
export interface Panel {
  readonly title: string;
  readonly unit: string;
  /** How many digits the values have after the point; 0 by default. */
  readonly digits?: number;
  readonly bars: readonly Bar[];
}

/** A chart of horizontal bars. */
export interface BarChart {
  readonly title: string;
  readonly panels: readonly Panel[];
  /** CSS colours by the keys that the parts use. */
  readonly colours: Readonly<Record<string, string>>;
  readonly legend: readonly { readonly colour: string; readonly text: string }[];
  readonly note: string;
}

const WIDTH = 910;
const LABEL_WIDTH = 200;
const VALUE_WIDTH = 110;
const ROW_HEIGHT = 26;
const PANEL_HEADER_HEIGHT = 44;
const PANEL_GAP = 20;
const MARGIN = 20;
const LEGEND_ITEM_WIDTH = 170;

/** Draws a chart as SVG. Its description has all values as text. */
export function barChart({ title, panels, colours, legend, note }: BarChart): string {
  let top = 16;
  const drawn = panels.map((panel) => {
    const svg = drawPanel(panel, top);
    top += PANEL_HEADER_HEIGHT + panel.bars.length * ROW_HEIGHT + PANEL_GAP;
    return svg;
  });
  const legendItems = legend.map(({ colour, text }, index) => {
    const x = MARGIN + index * LEGEND_ITEM_WIDTH;
    return `<rect class="${colour}" x="${x}" y="${top}" width="12" height="12"/><text x="${x + 18}" y="${top + 11}">${text}</text>`;
  });
  const height = top + 30;
  const fills = Object.entries(colours).map(([key, fill]) => `.${key} { fill: ${fill}; }`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="13">
  <title>${title}</title>
  <desc>${description(panels)}</desc>
  <style>
    ${fills.join(' ')}
    text { fill: #1f2328; } .title { font-weight: 600; } .note { font-size: 11.5px; fill: #57606a; }
  </style>
  <rect width="${WIDTH}" height="${height}" rx="8" fill="#ffffff"/>
  ${drawn.join('\n  ')}
  ${legendItems.join('\n  ')}
  <text class="note" x="${WIDTH - MARGIN}" y="${top + 11}" text-anchor="end">${note}</text>
</svg>
`;
}

function drawPanel({ title, unit, digits = 0, bars }: Panel, top: number): string {
  const longest = Math.max(...bars.map(({ total }) => total));
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / longest;
  const rows = bars.map((bar, index) => {
    const y = top + PANEL_HEADER_HEIGHT + index * ROW_HEIGHT;
    let x = LABEL_WIDTH;
    const rects = bar.parts.map(({ colour, value }) => {
      const width = value * scale;
      const rect = `<rect class="${colour}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="18"/>`;
      x += width;
      return rect;
    });
    const weight = bar.isEmphasised ? ' class="title"' : '';
    const label = `<text${weight} x="${LABEL_WIDTH - 10}" y="${y + 14}" text-anchor="end">${bar.label}</text>`;
    const value = `<text${weight} x="${(x + 8).toFixed(1)}" y="${y + 14}">${bar.total.toFixed(digits)} ${unit}</text>`;
    return `${label}${rects.join('')}${value}`;
  });
  return [`<text class="title" x="${MARGIN}" y="${top + 22}">${title}</text>`, ...rows].join(
    '\n  ',
  );
}

function description(panels: readonly Panel[]): string {
  return panels
    .map(
      ({ title, unit, digits = 0, bars }) =>
        `${title}: ${bars.map(({ label, total }) => `${label} ${total.toFixed(digits)} ${unit}`).join(', ')}.`,
    )
    .join(' ');
}
