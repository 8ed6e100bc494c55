import type { SourceMap } from 'node:module';

/** `file:///var/task/index.mjs:1:2345` */
const PLACE = /(file:\S+\.mjs):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

/**
 * Translates a stack trace from the bundle to the source. Source maps are read only when an error
 * is logged; Node's `--enable-source-maps` reads them at every cold start.
 */
export function sourceStackTrace(stack: string): string {
  return stack.replaceAll(PLACE, (place, url: string, line: string, column: string) => {
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column));
    return origin && 'fileName' in origin
      ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}`
      : place;
  });
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(url));
  return maps.get(url);
}

function readMap(url: string): SourceMap | undefined {
  try {
    const { SourceMap } = process.getBuiltinModule('node:module');
    const { readFileSync } = process.getBuiltinModule('node:fs');
    return new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`)).toString()));
  } catch {
    // The trace is useful without the source map, too.
  }
  return undefined;
}
