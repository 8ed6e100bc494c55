import { Writable } from 'node:stream';
import { WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import type { Output } from 'customer-data-api-deployment/program';

/** The control sequences that commands use, and lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const TOKENS = /\x1b\[(\d*)([A-Za-z])|\r|\n|[^\x1b\r\n]+|\x1b/g;
const COLOURS: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
};

/** The output of one stream of a command. */
export interface Shown {
  /** Everything that was written. */
  readonly raw: () => string;
  /** The lines that stay, as a program would read them. */
  readonly text: () => string;
}

/** The output of a command, as the lines that a person reads who watches both of its streams. */
export class Screen {
  readonly #print: (line: string) => void;
  readonly #flushes: (() => void)[] = [];

  /** @param print receives each line as soon as it is complete. */
  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /**
   * Opens a stream of the command.
   *
   * @param prefix marks its lines.
   * @param columns the width of the terminal, if the stream is one.
   * @param wanted after how many lines its reader leaves.
   */
  open(
    prefix: string,
    columns: number | undefined,
    wanted = Number.POSITIVE_INFINITY,
  ): Output & Shown {
    let raw = '';
    let line = '';
    let isAtStart = false;
    const colours: string[] = [];
    const shown = new Set<string>();
    const lines: string[] = [];
    const end = () => {
      this.#print(`${prefix}${line}`.trimEnd());
      lines.push(line);
      line = '';
    };
    const draw = (text: string) => {
      // The progress of a command is drawn again and again, and how often and how far it is
      // depends on the machine.
      const [what = ''] = text.split(':');
      if (!shown.has(what)) this.#print(`${prefix}~ ${text.replace(/: \d+$/, ': …')}`);
      shown.add(what);
    };
    const feed = (text: string) => {
      // It is drawn by one call, and cleared by another.
      let isProgress = false;
      for (const [token, parameter = '', code] of text.matchAll(TOKENS)) {
        if (token === '\n') end();
        else if (token === '\r') isAtStart = true;
        else if (code === 'K' && isAtStart) isProgress = true;
        else if (code === 'm') line += colour(parameter, colours);
        else if (code === undefined && isProgress) draw(token);
        else if (code === undefined) line += token;
        if (token !== '\r' && code !== 'K') [isAtStart, isProgress] = [false, false];
      }
    };
    this.#flushes.push(() => {
      if (line !== '') end();
    });
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        raw += String(chunk);
        feed(String(chunk));
        done(lines.length < wanted ? null : Object.assign(new Error('EPIPE'), { code: 'EPIPE' }));
      },
    });
    return Object.assign(stream, {
      ...(columns !== undefined && { isTTY: true, columns, getColorDepth }),
      raw: () => raw,
      text: () =>
        lines
          .map((one) => `${one.replaceAll(/<\/?(bold|dim|red|green|yellow|cyan)>/g, '')}\n`)
          .join(''),
    });
  }

  /** Ends the lines that are not complete. */
  flush(): void {
    for (const flush of this.#flushes) flush();
  }
}

/** The colours of a terminal, unless the environment forbids them. */
function getColorDepth(): number {
  const { NO_COLOR } = process.env;
  return WriteStream.prototype.getColorDepth({
    TERM: 'xterm-256color',
    ...(NO_COLOR && { NO_COLOR }),
  });
}

function colour(code: string, open: string[]): string {
  const name = COLOURS[code];
  if (name === undefined) return `</${open.pop()}>`;
  open.push(name);
  return `<${name}>`;
}

/** The longest line of what a terminal shows. */
export function widestOf(raw: string): number {
  return Math.max(
    ...stripVTControlCharacters(raw)
      .split('\n')
      .map((line) => [...line].length),
  );
}
