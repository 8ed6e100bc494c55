import { median } from 'simple-statistics';
import { OPERATIONS, OURS, RUNTIME } from './candidates.ts';
import { CALLS_PER_COLD_START, CALLS_PER_READ } from './cost.ts';
import { CALLS, type Figures } from './figures.ts';
import type { Step } from './growth.ts';
import { PRICES } from './prices.ts';
import { present, ratio, type Samples, shown, slope } from './statistics.ts';
import type { Verdict } from './verdicts.ts';
import { CONCURRENCIES } from './warm.ts';

const NAMES = { 'get-config': 'getConfig', 'apply-promo-code': 'promoCode/apply' } as const;

/** What a run has found, in lines of at most 80 characters. */
export function report(figures: Figures, verdicts: readonly Verdict[]): string[] {
  const { node, cpu, date } = figures.machine;
  return [
    `Node ${node} on ${cpu}, ${date}`,
    'ratio: of what ours takes to what is in the row',
    ...Object.entries(figures.excluded).flatMap(([peer, failed]) => [
      `${peer} does not count: it fails checks`,
      ...failed,
    ]),
    ...cold(figures),
    ...warm(figures),
    ...growth(figures),
    ...memory(figures),
    ...cost(figures),
    ...judged(verdicts),
  ];
}

function cold({ cold }: Figures): string[] {
  return OPERATIONS.flatMap((operation) => {
    const its = cold.filter((one) => one.operation === operation);
    return table(
      `Cold, ${NAMES[operation]}: ms from new process to first answer, median (middle half)`,
      ['', 'total', 'ratio', 'Node', 'load', 'init', 'call', 'MB', 'KB'],
      its.map(({ contestant, bytes, measured, ours }) => [
        contestant,
        shown(measured.total, 0),
        contestant === RUNTIME.name ? '' : ratio(ours, measured.total).toFixed(2),
        ...[measured.boot, measured.loading, measured.initialising, measured.firstCall].map(whole),
        whole(measured.peakMegabytes),
        (bytes / 1024).toFixed(0),
      ]),
    );
  });
}

function warm({ warm }: Figures): string[] {
  return CALLS.flatMap((call) => {
    const its = warm.filter((one) => one.call === call);
    const ours = present(its.find(({ contestant }) => contestant === OURS.name)).measured.cpu;
    return table(
      `Warm, ${call}: µs, calls a second so many at a time, KB a call`,
      ['', 'CPU', 'ratio', 'p50', 'p99', ...CONCURRENCIES.map((one) => `×${one}`), 'KB'],
      its.map(({ contestant, measured }) => [
        contestant,
        shown(measured.cpu, 0),
        ratio(ours, measured.cpu).toFixed(2),
        whole(measured.p50),
        whole(measured.p99),
        ...CONCURRENCIES.map((concurrency) => whole(measured.throughput[concurrency])),
        whole(measured.bytes.map((bytes) => bytes / 1024)),
      ]),
    );
  });
}

function growth({ fields, events }: Figures): string[] {
  return [
    ...table(
      'Growth, cached getConfig: CPU µs a call, by the fields of the client',
      ['fields', 'CPU', 'times', 'p50', 'answer, KB'],
      fields.map((step) => [...grown(step, fields), (step.answerBytes / 1024).toFixed(1)]),
    ),
    `  slope: ${nanoseconds(fields)} ns a field`,
    ...table(
      'Growth, promoCode/apply: CPU µs a call, by the promo events of the client',
      ['events', 'CPU', 'times', 'p50'],
      events.map((step) => grown(step, events)),
    ),
    `  slope: ${nanoseconds(events)} ns an event`,
  ];
}

function grown({ size, cpu, p50 }: Step, steps: readonly Step[]): string[] {
  const times = median(cpu) / median(present(steps[0]).cpu);
  return [String(size), shown(cpu, 0), times.toFixed(2), whole(p50)];
}

/** How much more CPU time a call takes for one more of what grows. */
function nanoseconds(steps: readonly Step[]): string {
  return (slope(steps.map(({ size, cpu }) => [size, median(cpu)])) * 1000).toFixed(1);
}

function memory({ memory }: Figures): string[] {
  return table(
    'Memory of one process that answers both operations, MB',
    ['calls', 'in use', 'resident'],
    memory.map(({ calls, inUse, rss }) => [String(calls), inUse.toFixed(2), rss.toFixed(0)]),
  );
}

function cost({ costs }: Figures): string[] {
  return OPERATIONS.flatMap((operation) =>
    table(
      `Cost, ${NAMES[operation]}: dollars a million calls, list prices of ${PRICES.asOf}`,
      ['', 'total', 'gateway', 'Lambda', 'DynamoDB', 'transfer'],
      costs
        .filter((one) => one.operation === operation)
        .map(({ contestant, measured: { total, gateway, lambda, dynamodb, transfer } }) => [
          contestant,
          total.toFixed(2),
          ...[gateway, lambda, dynamodb, transfer].map(
            (dollars) => `${dollars.toFixed(2)} (${((dollars / total) * 100).toFixed(0)} %)`,
          ),
        ]),
    ),
  ).concat(
    `  One call in ${CALLS_PER_COLD_START} starts a function, one in ${CALLS_PER_READ} reads the client again.`,
  );
}

function judged(verdicts: readonly Verdict[]): string[] {
  return table(
    'Verdicts: the worst of the operations or functions counts',
    ['', 'value', 'at most', ''],
    verdicts.map(({ figure, value, limit, holds }) => [
      figure,
      value.toFixed(value < 10 ? 2 : 0),
      String(limit),
      holds ? 'holds' : 'DOES NOT HOLD',
    ]),
  );
}

function whole(samples: Samples): string {
  return median(samples).toFixed(0);
}

/** The first column to the left, the others to the right, each as wide as it needs. */
function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]) {
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
