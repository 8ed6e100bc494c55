import { writeFile } from 'node:fs/promises';

/**
 * The outcome that a call was told. Only the first four say what is stored, and `refused` that
 * nothing is.
 */
export type Outcome =
  | 'applied'
  | 'repeated'
  | 'used'
  | 'queued'
  | 'refused'
  | 'retryable'
  | 'failed'
  | 'unanswered';

/** A line of a history. */
interface Line {
  readonly process: string;
  readonly op: 'apply' | 'read' | 'erase';
  readonly user: string;
  /** The form of the code; an erasure has none. */
  readonly code?: string;
  /** The date in its normal form. */
  readonly date?: string;
  /** The attributes that a call sent besides, without spaces. */
  readonly content?: string;
  readonly outcome: Outcome | 'running' | 'drained' | 'erased';
  /** The items of a read, sorted: `applied <date> <content> <what the system added>`. */
  readonly items?: readonly string[];
}

type Timed = Line & { readonly start: number; readonly end: number };

/** The history of a run, by one monotonic clock, in nanoseconds. */
export class History {
  readonly #lines: Timed[] = [];
  readonly #epoch = process.hrtime.bigint();

  now(): number {
    return Number(process.hrtime.bigint() - this.#epoch);
  }

  add(line: Line, start: number, end: number): void {
    this.#lines.push({ ...line, start, end });
  }

  /** Counts the calls by their outcome. */
  outcomes(): ReadonlyMap<string, number> {
    const calls = this.#lines.filter(({ op }) => op === 'apply');
    const groups = Map.groupBy(calls, ({ outcome }) => outcome);
    return new Map([...groups].map(([outcome, { length }]) => [outcome, length]));
  }

  /** Writes it as JSON lines. */
  async write(file: string): Promise<void> {
    await writeFile(file, this.#lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}
