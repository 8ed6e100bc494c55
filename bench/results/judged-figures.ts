import { median, quantile } from 'simple-statistics';
import { OPERATIONS, type Operation } from '../candidates/candidate.ts';
import { FLOOR, FLOOR_DEFAULT_FIELDS, FLOOR_EXTERNAL_SDK, OURS } from '../candidates/candidates.ts';
import { type Figures, measured, type PartFigures } from '../figures.ts';
import type { LoadFigures } from '../lambda/load.ts';
import { JUDGED_MEGABYTES } from '../lambda/memory.ts';
import type { LambdaStarts } from '../lambda/starts.ts';
import { CALLS, type Call } from '../measurements/calls.ts';
import { EMPTY_PROGRAM } from '../measurements/commands.ts';
import type { Samples } from '../measurements/rounds.ts';
import type { JudgedFigure } from '../verdicts.ts';
import { ratio } from './statistics.ts';

/**
 * Computes the figures that have a limit. A figure without anything to compare with is NaN. Those
 * of a part that was not measured are missing.
 */
export function judgedFigures(figures: Figures): Readonly<Partial<Record<JudgedFigure, number>>> {
  const { peers, functions, lambda, load, cold, warm, fields, memory, commands } = figures;
  return {
    ...(lambda && lambdaFigures(lambda, peers)),
    ...(load && { 'load: p99, ours / best peer': loadFigure(load) }),
    ...(cold && {
      'cold, ours / the same calls, default main fields': worstCold(cold, [
        FLOOR_DEFAULT_FIELDS.name,
      ]),
      'cold, ours / the same calls, SDK not bundled': worstCold(cold, [FLOOR_EXTERNAL_SDK.name]),
      'cold, ours / floor': worstCold(cold, [FLOOR.name]),
      'cold, ours / best peer': worstCold(cold, peers),
    }),
    'bundle, each function, KB': worst(Object.values(functions)) / 1024,
    ...(warm && {
      'warm CPU per promo application, ours / floor': ratio(
        warmOf(warm, OURS.name, 'promoCode/apply').cpu,
        warmOf(warm, FLOOR.name, 'promoCode/apply').cpu,
      ),
      'warm CPU, getConfig cached, ours / floor, read': ratio(
        warmOf(warm, OURS.name, 'getConfig, cached').cpu,
        warmOf(warm, FLOOR.name, 'getConfig, read').cpu,
      ),
      'warm, CPU and wall, ours / best peer': worstWarm(warm, peers),
    }),
    ...(fields && { 'getConfig, growth of time / growth of bytes': growthOfGetConfig(fields) }),
    ...(memory && {
      'memory after 1,000,000 / after 10,000 calls':
        inUse(memory, 1_000_000) / inUse(memory, 10_000),
    }),
    ...(commands && { 'help and config check / empty Node program': slowestCommand(commands) }),
  };
}

function lambdaFigures(lambda: PartFigures['lambda'], peers: readonly string[]) {
  const of = (name: string, operation: Operation) =>
    lambda.find(
      (one) =>
        one.candidate === name && one.operation === operation && one.megabytes === JUDGED_MEGABYTES,
    )?.measured;
  const first = (starts: LambdaStarts) => starts.first;
  const sum = ({ initialisation, first }: LambdaStarts) =>
    initialisation.map((ms, round) => ms + (first[round] ?? Number.NaN));
  const worstNextTo = (others: readonly string[], times: (starts: LambdaStarts) => Samples) =>
    worst(
      OPERATIONS.flatMap((operation) =>
        others.map((name) =>
          ratio(times(measured(of(OURS.name, operation))), times(measured(of(name, operation)))),
        ),
      ),
    );
  const floor = [FLOOR.name];
  return {
    'as Lambda, 1,024 MB: first call, ours / floor': worstNextTo(floor, first),
    'as Lambda, 1,024 MB: init and first call, ours / floor': worstNextTo(floor, sum),
    'as Lambda, 1,024 MB: init and first call, ours / best peer': worstNextTo(peers, sum),
  };
}

/** Besides ours, only the best peer is measured. */
function loadFigure(load: PartFigures['load']): number {
  const p99 = ({ latencies }: LoadFigures) => quantile(latencies, 0.99);
  const ours = measured(load.find(({ candidate }) => candidate === OURS.name));
  const others = load.filter((one) => one !== ours);
  return worst(others.map((other) => p99(ours) / p99(other)));
}

function worstCold(cold: PartFigures['cold'], candidates: readonly string[]): number {
  return worst(
    cold
      .filter(({ candidate }) => candidates.includes(candidate))
      .map(({ ours, measured }) => ratio(ours, measured.total)),
  );
}

function warmOf(warm: PartFigures['warm'], name: string, kind: Call) {
  return measured(warm.find(({ candidate, call }) => candidate === name && call === kind)).measured;
}

function worstWarm(warm: PartFigures['warm'], peers: readonly string[]): number {
  return worst(
    CALLS.flatMap((call) =>
      peers.flatMap((peer) =>
        (['cpu', 'p50'] as const).map((time) =>
          ratio(warmOf(warm, OURS.name, call)[time], warmOf(warm, peer, call)[time]),
        ),
      ),
    ),
  );
}

/** Below 1, the time of a call grows more slowly than its response. */
function growthOfGetConfig(fields: PartFigures['fields']): number {
  const step = (fieldCount: number) => measured(fields.find(({ size }) => size === fieldCount));
  const [few, many] = [step(10), step(1000)];
  const timeGrowth = median(many.cpu) / median(few.cpu);
  return timeGrowth / (many.responseBytes / few.responseBytes);
}

function inUse(memory: PartFigures['memory'], callCount: number): number {
  return measured(memory.find(({ calls }) => calls === callCount)).inUse;
}

function slowestCommand(commands: PartFigures['commands']): number {
  const empty = measured(commands.find(({ program }) => program === EMPTY_PROGRAM));
  const others = commands.filter((one) => one !== empty);
  return worst(others.map(({ milliseconds }) => ratio(milliseconds, empty.milliseconds)));
}

/**
 * NaN without values: a figure that is compared with nothing, such as without peers, must not hold.
 */
function worst(values: readonly number[]): number {
  return values.length > 0 ? Math.max(...values) : Number.NaN;
}
