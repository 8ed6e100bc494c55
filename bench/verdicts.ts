import { median } from 'simple-statistics';
import { FLOOR, FLOOR_DEFAULT_FIELDS, FLOOR_EXTERNAL_SDK, OURS } from './candidates.ts';
import { CALLS, type Call, type Figures } from './figures.ts';
import { present, ratio } from './statistics.ts';

/** Whether a figure is as it has to be. */
export interface Verdict {
  readonly figure: string;
  readonly value: number;
  readonly limit: number;
  readonly holds: boolean;
}

/** A row for each figure that has a limit; of several operations or functions the worst counts. */
export function verdictsOf(figures: Figures): readonly Verdict[] {
  const { peers, functions, fields, memory } = figures;

  const cold = (others: readonly string[]) =>
    worst(
      figures.cold
        .filter(({ contestant }) => others.includes(contestant))
        .map(({ ours, measured }) => ratio(ours, measured.total)),
    );
  const warm = (part: 'cpu' | 'p50', contestant: string, call: Call) =>
    present(figures.warm.find((one) => one.contestant === contestant && one.call === call))
      .measured[part];
  const cpu = (contestant: string, call: Call) => warm('cpu', contestant, call);
  const bestPeer = (['cpu', 'p50'] as const).flatMap((part) =>
    CALLS.flatMap((call) =>
      peers.map((peer) => ratio(warm(part, OURS.name, call), warm(part, peer, call))),
    ),
  );
  const step = (size: number) => {
    const { cpu, answerBytes } = present(fields.find((one) => one.size === size));
    return { time: median(cpu), bytes: answerBytes };
  };
  const timeGrowth = step(1000).time / step(10).time;
  const byteGrowth = step(1000).bytes / step(10).bytes;
  const inUse = (calls: number) => present(memory.find((one) => one.calls === calls)).inUse;

  const values: readonly (readonly [figure: string, value: number, limit: number])[] = [
    ['cold, ours / the same calls, default main fields', cold([FLOOR_DEFAULT_FIELDS.name]), 0.7],
    ['cold, ours / the same calls, SDK not bundled', cold([FLOOR_EXTERNAL_SDK.name]), 0.65],
    ['cold, ours / floor', cold([FLOOR.name]), 1.15],
    ['cold, ours / best peer', cold(peers), 0.75],
    ['bundle, each function, KB', worst(Object.values(functions)) / 1024, 300],
    [
      'warm CPU per promo application, ours / floor',
      ratio(cpu(OURS.name, 'promoCode/apply'), cpu(FLOOR.name, 'promoCode/apply')),
      1.25,
    ],
    [
      'warm CPU, getConfig cached, ours / floor, read',
      ratio(cpu(OURS.name, 'getConfig, cached'), cpu(FLOOR.name, 'getConfig, read')),
      0.35,
    ],
    ['warm, CPU and wall, ours / best peer', worst(bestPeer), 0.9],
    ['getConfig, growth of time / growth of bytes', timeGrowth / byteGrowth, 1],
    ['memory after 1,000,000 / after 10,000 calls', inUse(1_000_000) / inUse(10_000), 1.05],
  ];
  return values.map(([figure, value, limit]) => ({ figure, value, limit, holds: value <= limit }));
}

/** Of nothing, such as when no peer counts, it is no number, and nothing holds of that. */
function worst(values: readonly number[]): number {
  return values.length > 0 ? Math.max(...values) : Number.NaN;
}
