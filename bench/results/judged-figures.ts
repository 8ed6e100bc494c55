import { median } from 'simple-statistics';
import { FLOOR, FLOOR_DEFAULT_FIELDS, FLOOR_EXTERNAL_SDK, OURS } from '../candidates/candidates.ts';
import { type Figures, measured } from '../figures.ts';
import { CALLS, type Call } from '../measurements/calls.ts';
import type { JudgedFigure } from '../verdicts.ts';
import { ratio } from './statistics.ts';

/** Computes the figures that have a limit. A figure without anything to compare with is NaN. */
export function judgedFigures(figures: Figures): Readonly<Record<JudgedFigure, number>> {
  const { peers, functions } = figures;
  return {
    'cold, ours / the same calls, default main fields': worstCold(figures, [
      FLOOR_DEFAULT_FIELDS.name,
    ]),
    'cold, ours / the same calls, SDK not bundled': worstCold(figures, [FLOOR_EXTERNAL_SDK.name]),
    'cold, ours / floor': worstCold(figures, [FLOOR.name]),
    'cold, ours / best peer': worstCold(figures, peers),
    'bundle, each function, KB': worst(Object.values(functions)) / 1024,
    'warm CPU per promo application, ours / floor': ratio(
      warm(figures, OURS.name, 'promoCode/apply').cpu,
      warm(figures, FLOOR.name, 'promoCode/apply').cpu,
    ),
    'warm CPU, getConfig cached, ours / floor, read': ratio(
      warm(figures, OURS.name, 'getConfig, cached').cpu,
      warm(figures, FLOOR.name, 'getConfig, read').cpu,
    ),
    'warm, CPU and wall, ours / best peer': worstWarm(figures),
    'getConfig, growth of time / growth of bytes': growthOfGetConfig(figures),
    'memory after 1,000,000 / after 10,000 calls':
      inUse(figures, 1_000_000) / inUse(figures, 10_000),
  };
}

function worstCold({ cold }: Figures, candidates: readonly string[]): number {
  return worst(
    cold
      .filter(({ candidate }) => candidates.includes(candidate))
      .map(({ ours, measured }) => ratio(ours, measured.total)),
  );
}

function warm(figures: Figures, name: string, kind: Call) {
  return measured(figures.warm.find(({ candidate, call }) => candidate === name && call === kind))
    .measured;
}

function worstWarm(figures: Figures): number {
  return worst(
    CALLS.flatMap((call) =>
      figures.peers.flatMap((peer) =>
        (['cpu', 'p50'] as const).map((time) =>
          ratio(warm(figures, OURS.name, call)[time], warm(figures, peer, call)[time]),
        ),
      ),
    ),
  );
}

/** Below 1, the time of a call grows more slowly than its response. */
function growthOfGetConfig({ fields }: Figures): number {
  const step = (fieldCount: number) => measured(fields.find(({ size }) => size === fieldCount));
  const [few, many] = [step(10), step(1000)];
  const timeGrowth = median(many.cpu) / median(few.cpu);
  return timeGrowth / (many.responseBytes / few.responseBytes);
}

function inUse({ memory }: Figures, callCount: number): number {
  return measured(memory.find(({ calls }) => calls === callCount)).inUse;
}

/** NaN for no values, so that nothing to compare with, such as no peers, cannot hold. */
function worst(values: readonly number[]): number {
  return values.length > 0 ? Math.max(...values) : Number.NaN;
}
