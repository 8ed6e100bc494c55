import { median, quantile } from 'simple-statistics';
import { OPERATIONS, type Operation } from '../candidates/candidate.ts';
import { OURS } from '../candidates/candidates.ts';
import { type Figures, measured, type PartFigures } from '../figures.ts';
import { JUDGED_MEGABYTES } from '../lambda/memory.ts';
import { NOT_MEASURED, type Verdict } from '../verdicts.ts';
import { startOf } from './judged-figures.ts';
import { medianAndQuartiles, ratio } from './statistics.ts';

/** The operations as the spec calls them. */
const OPERATION_IDS = { 'get-config': 'getConfig', 'apply-promo-code': 'promoCode/apply' } as const;

/** The results of a run as text lines. */
export function report(figures: Figures, verdicts: readonly Verdict[]): string[] {
  const { machine, excluded, lambda, warm } = figures;
  return [
    `Node ${machine.node} on ${machine.cpu}, ${machine.date}, load ${machine.load}`,
    'ratio: ours divided by the row',
    ...Object.entries(excluded).flatMap(([peer, output]) => [
      `${peer} was left out because it failed the smoke checks:`,
      ...output,
    ]),
    ...OPERATIONS.flatMap((operation) => [
      ...(lambda ? startTable(lambda, operation) : []),
      ...(warm ? warmTable(warm, operation) : []),
    ]),
    ...verdictTable(verdicts),
  ];
}

function startTable(lambda: PartFigures['lambda'], operation: Operation): string[] {
  const rows = lambda.filter((one) => one.operation === operation);
  const ours = startOf(measured(rows.find(({ candidate }) => candidate === OURS.name)).measured);
  return textTable(
    `As Lambda, ${OPERATION_IDS[operation]}: ms with ${JUDGED_MEGABYTES} MB, TLS and 1 ms each way, median (quartiles)`,
    ['', 'init + first', 'ratio', 'init', 'first', 'p99'],
    rows.map(({ candidate, measured: starts }) => [
      candidate,
      medianAndQuartiles(startOf(starts), 0),
      ratio(ours, startOf(starts)).value.toFixed(2),
      median([...starts.initialisation]).toFixed(0),
      medianAndQuartiles(starts.first, 0),
      quantile([...startOf(starts)], 0.99).toFixed(0),
    ]),
  );
}

function warmTable(warm: PartFigures['warm'], operation: Operation): string[] {
  const rows = warm.filter((one) => one.operation === operation);
  const ours = measured(rows.find(({ candidate }) => candidate === OURS.name)).cpu;
  return textTable(
    `Warm, ${OPERATION_IDS[operation]}: µs of CPU, median (quartiles)`,
    ['', 'CPU', 'ratio'],
    rows.map(({ candidate, cpu }) => [
      candidate,
      medianAndQuartiles(cpu, 0),
      ratio(ours, cpu).value.toFixed(2),
    ]),
  );
}

function verdictTable(verdicts: readonly Verdict[]): string[] {
  return textTable(
    'Verdicts: the worst operation or function counts, with its 95 % interval in each run',
    ['', 'value', 'at most', ''],
    verdicts.map(({ figure, estimates, limit, holds }) => [
      figure,
      estimates
        .map(({ value, low, high }) =>
          low === high ? rounded(value) : `${rounded(value)} (${rounded(low)}–${rounded(high)})`,
        )
        .join(', then '),
      String(limit),
      holds === true ? 'holds' : holds === NOT_MEASURED ? NOT_MEASURED : 'DOES NOT HOLD',
    ]),
  );
}

function rounded(value: number): string {
  return value.toFixed(value < 10 ? 2 : 0);
}

/**
 * Lays out a table as text lines, below an empty line and the title. The first column is aligned to
 * the left, the others to the right.
 */
function textTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return ['', title, ...lines.map((line) => `  ${line}`)];
}
