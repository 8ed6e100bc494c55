import { median, quantile } from 'simple-statistics';
import { OPERATIONS, type Operation } from '../candidates/candidate.ts';
import { OURS } from '../candidates/candidates.ts';
import { type Figures, measured, type PartFigures } from '../figures.ts';
import { JUDGED_MEGABYTES } from '../lambda/memory.ts';
import type { StartFigures, Starts } from '../lambda/starts.ts';
import { CALLS } from '../measurements/calls.ts';
import type { Samples } from '../measurements/rounds.ts';
import { NOT_MEASURED, type Verdict } from '../verdicts.ts';
import { CALLS_PER_COLD_START, CALLS_PER_READ } from './assumptions.ts';
import { costOf } from './cost.ts';
import { startOf, totalOf } from './judged-figures.ts';
import { cheapestSize, dollarsOf } from './memory-size.ts';
import { OPERATION_IDS } from './operation-ids.ts';
import { PRICES } from './prices.ts';
import { medianAndQuartiles, ratio } from './statistics.ts';
import { textTable } from './text-table.ts';

/** The results of a run as text lines. */
export function report(figures: Figures, verdicts: readonly Verdict[]): string[] {
  const { machine, excluded, withoutLambda } = figures;
  const { lambda, sizes, cold, warm, growth, memory } = figures;
  return [
    `Node ${machine.node} on ${machine.cpu}, ${machine.date}, load ${machine.load}`,
    'ratio: ours divided by the row',
    ...Object.entries(excluded).flatMap(([peer, output]) => [
      `${peer} was left out because it failed the smoke checks:`,
      ...output,
    ]),
    ...(withoutLambda ? ['', `Not measured as in Lambda: ${withoutLambda}`] : []),
    ...(lambda ? lambdaTables(lambda) : []),
    ...(sizes ? sizeTables(sizes) : []),
    ...percentileTables(figures),
    ...(cold ? coldTables(cold) : []),
    ...(warm ? warmTables(warm) : []),
    ...(growth ? growthTable(growth) : []),
    ...(memory ? memoryTable(memory) : []),
    ...(cold && warm ? costTable({ cold, warm }) : []),
    ...verdictTable(verdicts),
  ];
}

function lambdaTables(lambda: PartFigures['lambda']): string[] {
  const title = (operation: string) =>
    `As Lambda, ${operation}: ms with ${JUDGED_MEGABYTES} MB, TLS and 1 ms each way, median (quartiles)`;
  return startTables(lambda, title, ['init + first', startOf], {
    init: ({ measured }) => whole(measured.initialisation),
    first: ({ measured }) => medianAndQuartiles(measured.first, 0),
  });
}

function coldTables(cold: PartFigures['cold']): string[] {
  const title = (operation: string) =>
    `Cold start, ${operation}: ms from new process to first response, median (quartiles)`;
  return startTables(cold, title, ['total', totalOf], {
    Node: ({ measured }) => whole(measured.boot),
    call: ({ measured }) => whole(measured.first),
    KB: ({ bytes }) => (bytes / 1024).toFixed(0),
  });
}

/** Tables of both operations, with the time that is compared and other columns. */
function startTables(
  starts: readonly StartFigures[],
  title: (operation: string) => string,
  [compared, timeOf]: readonly [name: string, timeOf: (starts: Starts) => Samples],
  columns: Readonly<Record<string, (figures: StartFigures) => string>>,
): string[] {
  return OPERATIONS.flatMap((operation) => {
    const rows = starts.filter((one) => one.operation === operation);
    const ours = measured(rows.find(({ candidate }) => candidate === OURS.name));
    return textTable(
      title(OPERATION_IDS[operation]),
      ['', compared, 'ratio', ...Object.keys(columns)],
      rows.map((row) => [
        row.candidate,
        medianAndQuartiles(timeOf(row.measured), 0),
        ratio(timeOf(ours.measured), timeOf(row.measured)).toFixed(2),
        ...Object.values(columns).map((cell) => cell(row)),
      ]),
    );
  });
}

function sizeTables(sizes: PartFigures['sizes']): string[] {
  return OPERATIONS.flatMap((operation) =>
    textTable(
      `Memory sizes, ${OPERATION_IDS[operation]} of ours as Lambda: ms; US dollars of Lambda per million calls`,
      ['MB', 'init', 'first', 'p50', 'p99', 'dollars'],
      sizes
        .filter((figures) => figures.operation === operation)
        .map((figures) => [
          String(figures.megabytes),
          whole(figures.initialisation),
          whole(figures.first),
          median(figures.warm).toFixed(1),
          quantile(figures.warm, 0.99).toFixed(1),
          dollarsOf(figures).toFixed(2),
        ]),
    ),
  ).concat(`  The cheapest size within 10 % of the best p99: ${cheapestSize(sizes)} MB.`);
}

/** The percentiles of ours that vendors publish, with the memory that is deployed. */
function percentileTables({ lambda = [], sizes = [] }: Pick<Figures, 'lambda' | 'sizes'>) {
  const rows = OPERATIONS.flatMap((operation) => {
    const isOwn = (one: { operation: Operation }) => one.operation === operation;
    const starts = lambda.filter(isOwn).find(({ candidate }) => candidate === OURS.name);
    const warm = sizes.filter(isOwn).find(({ megabytes }) => megabytes === JUDGED_MEGABYTES);
    return [
      ...(warm ? [percentilesOf(`${OPERATION_IDS[operation]}, warm`, warm.warm)] : []),
      ...(starts
        ? [percentilesOf(`${OPERATION_IDS[operation]}, start`, startOf(starts.measured))]
        : []),
    ];
  });
  if (rows.length === 0) return [];
  return textTable(
    `Percentiles of ours as Lambda: ms in the function with ${JUDGED_MEGABYTES} MB; a start is init and first call`,
    ['', 'p50', 'p95', 'p99', 'calls'],
    rows,
  );
}

function percentilesOf(name: string, samples: Samples): string[] {
  const percentiles = [0.5, 0.95, 0.99].map((part) => quantile([...samples], part).toFixed(1));
  return [name, ...percentiles, String(samples.length)];
}

function warmTables(warm: PartFigures['warm']): string[] {
  return CALLS.flatMap((call) => {
    const ofCall = warm.filter((figures) => figures.call === call);
    const ours = measured(ofCall.find(({ candidate }) => candidate === OURS.name)).measured.cpu;
    return textTable(
      `Warm, ${call}: µs`,
      ['', 'CPU', 'ratio', 'p50', 'p99'],
      ofCall.map(({ candidate, measured: { cpu, p50, p99 } }) => [
        candidate,
        medianAndQuartiles(cpu, 0),
        ratio(ours, cpu).toFixed(2),
        whole(p50),
        whole(p99),
      ]),
    );
  });
}

function growthTable(growth: PartFigures['growth']): string[] {
  const least = median(measured(growth[0]).measured.cpu);
  return textTable(
    'Growth, cached getConfig: µs by the number of fields of the client',
    ['fields', 'CPU', 'times', 'p50', 'response, KB'],
    growth.map(({ fields, language, rollout, measured: { cpu, p50, responseBytes } }) => [
      [fields, language, rollout].filter(Boolean).join(', '),
      medianAndQuartiles(cpu, 0),
      (median(cpu) / least).toFixed(2),
      whole(p50),
      (median(responseBytes) / 1024).toFixed(1),
    ]),
  );
}

function memoryTable(memory: PartFigures['memory']): string[] {
  return textTable(
    'Memory of one process that serves both operations, MB',
    ['calls', 'in use', 'resident'],
    memory.map(({ calls, inUse, rss }) => [String(calls), inUse.toFixed(2), rss.toFixed(0)]),
  );
}

function costTable(figures: Pick<PartFigures, 'cold' | 'warm'>): string[] {
  const row = (operation: Operation) => {
    const { total, ...services } = costOf(operation, figures);
    const cells = Object.values(services).map(
      (dollars) => `${dollars.toFixed(2)} (${((dollars / total) * 100).toFixed(0)} %)`,
    );
    return [OPERATION_IDS[operation], total.toFixed(2), ...cells];
  };
  return [
    ...textTable(
      `Cost of ours: US dollars per million calls, list prices of ${PRICES.asOf}`,
      ['', 'total', 'gateway', 'Lambda', 'DynamoDB', 'transfer'],
      OPERATIONS.map(row),
    ),
    `  Assumed: one call in ${CALLS_PER_COLD_START} is a cold start, one in ${CALLS_PER_READ} reads the client again.`,
  ];
}

const VERDICT_TEXTS = {
  true: 'holds',
  false: 'DOES NOT HOLD',
  [NOT_MEASURED]: NOT_MEASURED,
} as const;

function verdictTable(verdicts: readonly Verdict[]): string[] {
  return textTable(
    'Verdicts: the worst operation or function counts',
    ['', 'value', 'at most', ''],
    verdicts.map(({ figure, value, limit, holds }) => [
      figure,
      holds === NOT_MEASURED ? '' : value.toFixed(value < 10 ? 2 : 0),
      String(limit),
      VERDICT_TEXTS[String(holds) as keyof typeof VERDICT_TEXTS],
    ]),
  );
}

function whole(samples: Samples): string {
  return median(samples).toFixed(0);
}
