import type { Widget } from './body.ts';

/** How large a column and a row of a dashboard are in the picture. */
export const COLUMN = 50;
export const ROW = 42;
export const MARGIN = 10;

/** The size of a widget in the picture. */
export interface Box {
  readonly width: number;
  readonly height: number;
}

export function boxOf({ width, height }: Widget): Box {
  return { width: width * COLUMN - 6, height: height * ROW - 6 };
}

/** How a widget starts in the picture: its place and its frame. A text has no frame. */
export function frameOf(widget: Widget): string {
  const at = `translate(${widget.x * COLUMN + MARGIN} ${widget.y * ROW + MARGIN})`;
  const { width, height } = boxOf(widget);
  const frame = `<rect width="${width}" height="${height}" rx="4" fill="#fff" stroke="#ccd"/>`;
  return `<g transform="${at}">${widget.type === 'text' ? '' : frame}`;
}
