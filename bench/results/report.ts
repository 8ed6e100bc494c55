import { median, quantile } from 'simple-statistics';
import { OPERATIONS } from '../candidates/candidate.ts';
import { OURS, RUNTIME } from '../candidates/candidates.ts';
import { type Figures, measured, type PartFigures } from '../figures.ts';
import type { LambdaStartFigures } from '../lambda/starts.ts';
import { CALLS } from '../measurements/calls.ts';
import type { GrowthStep } from '../measurements/growth.ts';
import type { Samples } from '../measurements/rounds.ts';
import { NOT_MEASURED, type Verdict } from '../verdicts.ts';
import { CALLS_PER_COLD_START, CALLS_PER_READ } from './assumptions.ts';
import { costs } from './cost.ts';
import { cheapestSize, dollarsOf } from './memory-size.ts';
import { OPERATION_IDS } from './operation-ids.ts';
import { PRICES } from './prices.ts';
import { medianAndQuartiles, ratio, slope } from './statistics.ts';
import { textTable } from './text-table.ts';

/** The results of a run as text lines. */
export function report(figures: Figures, verdicts: readonly Verdict[]): string[] {
  const { node, cpu, date } = figures.machine;
  return [
    `Node ${node} on ${cpu}, ${date}`,
    'ratio: ours divided by the row',
    ...Object.entries(figures.excluded).flatMap(([peer, output]) => [
      `${peer} was left out because it failed the smoke checks:`,
      ...output,
    ]),
    ...(figures.withoutLambda ? ['', `Not measured as in Lambda: ${figures.withoutLambda}`] : []),
    ...(figures.lambda ? lambdaStarts(figures.lambda) : []),
    ...(figures.sizes ? memorySizes(figures.sizes) : []),
    ...(figures.load ? load(figures.load) : []),
    ...(figures.cold ? cold(figures.cold) : []),
    ...(figures.warm ? warm(figures.warm) : []),
    ...(figures.fields && figures.events ? growth(figures.fields, figures.events) : []),
    ...(figures.memory ? memory(figures.memory) : []),
    ...(figures.commands ? commands(figures.commands) : []),
    ...(figures.cold && figures.warm ? cost(figures) : []),
    ...judgement(verdicts),
  ];
}

function commands(commands: PartFigures['commands']): string[] {
  return textTable(
    "Operators' commands: ms, median (quartiles)",
    ['', 'ms'],
    commands.map(({ program, milliseconds }) => [program, medianAndQuartiles(milliseconds, 0)]),
  );
}

function lambdaStarts(lambda: PartFigures['lambda']): string[] {
  const sizes = [...new Set(lambda.map(({ megabytes }) => megabytes))];
  const tables = sizes.flatMap((megabytes) =>
    OPERATIONS.map((operation) => ({ megabytes, operation })),
  );
  return tables.flatMap(({ megabytes, operation }) => {
    const ofOperation = lambda.filter(
      (figures) => figures.operation === operation && figures.megabytes === megabytes,
    );
    const sumOf = ({ measured: { initialisation, first } }: LambdaStartFigures) =>
      initialisation.map((ms, round) => ms + (first[round] ?? Number.NaN));
    const ours = measured(ofOperation.find(({ candidate }) => candidate === OURS.name));
    return textTable(
      `As Lambda, ${OPERATION_IDS[operation]}: ms with ${megabytes} MB, TLS and 1 ms each way, median (quartiles)`,
      ['', 'init + first', 'ratio', 'init', 'first', 'second', 'tenth'],
      ofOperation.map((figures) => [
        figures.candidate,
        medianAndQuartiles(sumOf(figures), 0),
        ratio(sumOf(ours), sumOf(figures)).toFixed(2),
        whole(figures.measured.initialisation),
        medianAndQuartiles(figures.measured.first, 0),
        median([...figures.measured.second]).toFixed(1),
        median([...figures.measured.tenth]).toFixed(1),
      ]),
    );
  });
}

function memorySizes(sizes: PartFigures['sizes']): string[] {
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
          median([...figures.warm]).toFixed(1),
          quantile([...figures.warm], 0.99).toFixed(1),
          dollarsOf(figures).toFixed(2),
        ]),
    ),
  ).concat(`  The cheapest size within 10 % of the best p99: ${cheapestSize(sizes)} MB.`);
}

function load(load: PartFigures['load']): string[] {
  return textTable(
    'Load, promoCode/apply: a campaign from 1 to 30 calls a second and back; ms from the intended send time',
    ['', 'answers', 'errors', 'starts', 'p50', 'p99', 'p99.9'],
    load.map(({ candidate, answers, errors, starts, latencies }) => [
      candidate,
      ...[answers, errors, starts].map(String),
      ...[0.5, 0.99, 0.999].map((part) => quantile([...latencies], part).toFixed(0)),
    ]),
  );
}

function cold(cold: PartFigures['cold']): string[] {
  return OPERATIONS.flatMap((operation) =>
    textTable(
      `Cold start, ${OPERATION_IDS[operation]}: ms from new process to first response, median (quartiles)`,
      ['', 'total', 'ratio', 'Node', 'load', 'init', 'call', 'MB', 'KB'],
      cold
        .filter((figures) => figures.operation === operation)
        .map(({ candidate, bytes, measured, ours }) => [
          candidate,
          medianAndQuartiles(measured.total, 0),
          candidate === RUNTIME.name ? '' : ratio(ours, measured.total).toFixed(2),
          whole(measured.boot),
          whole(measured.loading),
          whole(measured.initialising),
          whole(measured.firstCall),
          whole(measured.peakMegabytes),
          (bytes / 1024).toFixed(0),
        ]),
    ),
  );
}

function warm(warm: PartFigures['warm']): string[] {
  return CALLS.flatMap((call) => {
    const ofCall = warm.filter((figures) => figures.call === call);
    const ours = measured(ofCall.find(({ candidate }) => candidate === OURS.name)).measured.cpu;
    return textTable(
      `Warm, ${call}: µs`,
      ['', 'CPU', 'ratio', 'p50', 'p99'],
      ofCall.map(({ candidate, measured }) => [
        candidate,
        medianAndQuartiles(measured.cpu, 0),
        ratio(ours, measured.cpu).toFixed(2),
        whole(measured.p50),
        whole(measured.p99),
      ]),
    );
  });
}

function growth(fields: PartFigures['fields'], events: PartFigures['events']): string[] {
  return [
    ...textTable(
      'Growth, cached getConfig: µs by the number of fields of the client',
      ['fields', 'CPU', 'times', 'p50', 'response, KB'],
      fields.map((step) => [...growthRow(step, fields), (step.responseBytes / 1024).toFixed(1)]),
    ),
    `  slope: ${nanosecondsPerUnit(fields)} ns per field`,
    ...textTable(
      'Growth, promoCode/apply: µs by the number of promo events of the client',
      ['events', 'CPU', 'times', 'p50'],
      events.map((step) => growthRow(step, events)),
    ),
    `  slope: ${nanosecondsPerUnit(events)} ns per event`,
  ];
}

function growthRow({ size, cpu, p50 }: GrowthStep, steps: readonly GrowthStep[]): string[] {
  const times = median(cpu) / median(measured(steps[0]).cpu);
  return [String(size), medianAndQuartiles(cpu, 0), times.toFixed(2), whole(p50)];
}

/** How much CPU time one more field or event adds to a call. */
function nanosecondsPerUnit(steps: readonly GrowthStep[]): string {
  const points = steps.map(({ size, cpu }) => [size, median(cpu)] as const);
  return (slope(points) * 1000).toFixed(1);
}

function memory(memory: PartFigures['memory']): string[] {
  return textTable(
    'Memory of one process that serves both operations, MB',
    ['calls', 'in use', 'resident'],
    memory.map(({ calls, inUse, rss }) => [String(calls), inUse.toFixed(2), rss.toFixed(0)]),
  );
}

function cost(figures: Figures): string[] {
  const all = costs(figures);
  return OPERATIONS.flatMap((operation) =>
    textTable(
      `Cost, ${OPERATION_IDS[operation]}: US dollars per million calls, list prices of ${PRICES.asOf}`,
      ['', 'total', 'gateway', 'Lambda', 'DynamoDB', 'transfer'],
      all
        .filter((figures) => figures.operation === operation)
        .map(({ candidate, cost: { total, gateway, lambda, dynamodb, transfer } }) => [
          candidate,
          total.toFixed(2),
          ...[gateway, lambda, dynamodb, transfer].map(
            (dollars) => `${dollars.toFixed(2)} (${((dollars / total) * 100).toFixed(0)} %)`,
          ),
        ]),
    ),
  ).concat(
    `  Assumed: one call in ${CALLS_PER_COLD_START} is a cold start, one in ${CALLS_PER_READ} reads the client again.`,
  );
}

function judgement(verdicts: readonly Verdict[]): string[] {
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

const VERDICT_TEXTS = {
  true: 'holds',
  false: 'DOES NOT HOLD',
  [NOT_MEASURED]: NOT_MEASURED,
} as const;

function whole(samples: Samples): string {
  return median(samples).toFixed(0);
}
