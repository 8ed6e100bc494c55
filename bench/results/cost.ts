import { median } from 'simple-statistics';
import { DEFAULT_MEMORY_MEGABYTES } from '../../lib/settings/capacity.ts';
import type { Operation } from '../candidates/candidate.ts';
import type { Figures } from '../figures.ts';
import { CPU_MEGABYTES } from '../lambda/memory.ts';
import type { Call } from '../measurements/calls.ts';
import type { CapacityUnits } from '../measurements/capacity-units.ts';
import { CALLS_PER_COLD_START, CALLS_PER_READ } from './assumptions.ts';
import { PRICES } from './prices.ts';

/** Times of a call, in milliseconds. */
interface Times {
  readonly wall: number;
  readonly cpu: number;
}

/** The figures that determine the price of a call. Times are in milliseconds. */
interface Usage {
  readonly operation: Operation;
  /** A warm call with the client's item in the cache. */
  readonly cached: Times;
  /** A warm call that reads the item. */
  readonly uncached: Times;
  /** A cold start without its first call. */
  readonly start: number;
  readonly firstCall: number;
  /** The share of the calls that read the item, from 0 to 1. */
  readonly readShare: number;
  readonly responseBytes: number;
}

/** US dollars for a million calls, by service. */
export interface Cost {
  readonly gateway: number;
  readonly lambda: number;
  readonly dynamodb: number;
  readonly transfer: number;
  readonly total: number;
}

/** The cost of one operation of a candidate. */
export interface CostFigures {
  readonly candidate: string;
  readonly operation: Operation;
  readonly cost: Cost;
}

/** Computes the cost of each candidate that has warm calls. */
export function costs({ cold = [], warm = [], capacityUnits }: Figures): readonly CostFigures[] {
  const timesOf = (name: string, kind: Call): Times | undefined => {
    const found = warm.find(({ candidate, call }) => candidate === name && call === kind);
    if (!found) return undefined;
    const { p50, cpu } = found.measured;
    return { wall: median(p50) / 1000, cpu: median(cpu) / 1000 };
  };
  return cold.flatMap(({ candidate, operation, measured }) => {
    const isGetConfig = operation === 'get-config';
    const cached = timesOf(candidate, isGetConfig ? 'getConfig, cached' : 'promoCode/apply');
    const uncached = timesOf(candidate, isGetConfig ? 'getConfig, read' : 'promoCode/apply, read');
    const either = cached ?? uncached;
    if (!either) return [];
    const hasCache = timesOf(candidate, 'getConfig, cached') !== undefined;
    // Without a cache, each getConfig is a read. Only the floor has none, and it applies promo
    // codes without reading the client.
    const readShareWithoutCache = isGetConfig ? 1 : 0;
    const firstCall = median(measured.firstCall);
    const usage = {
      operation,
      cached: either,
      uncached: uncached ?? either,
      start: median(measured.total) - firstCall,
      firstCall,
      readShare: hasCache ? 1 / CALLS_PER_READ : readShareWithoutCache,
      responseBytes: median(measured.responseBytes),
    };
    return { candidate, operation, cost: costOf(usage, capacityUnits) };
  });
}

function costOf(usage: Usage, units: CapacityUnits): Cost {
  const { operation, readShare, responseBytes } = usage;
  const seconds = billedMilliseconds(usage) / 1000;
  const writeUnits = operation === 'apply-promo-code' ? units.write : 0;
  const lambdaGigabyteSeconds = seconds * (DEFAULT_MEMORY_MEGABYTES / 1024);
  const million = (dollars: number) => dollars * 1_000_000;
  const gateway = million(PRICES.gatewayRequest);
  const lambda = million(
    PRICES.lambdaRequest + lambdaGigabyteSeconds * PRICES.lambdaGigabyteSecond,
  );
  const dynamodb = million(
    readShare * units.read * PRICES.readUnit + writeUnits * PRICES.writeUnit,
  );
  const transfer = million((responseBytes / 1024 ** 3) * PRICES.gigabyteOut);
  return { gateway, lambda, dynamodb, transfer, total: gateway + lambda + dynamodb + transfer };
}

/**
 * The billed time of an average call, with its share of the cold starts. Lambda bills each call in
 * whole milliseconds. A function has a fraction of a CPU during calls, which stretches their CPU
 * time; a first call hardly waits, so all of it is stretched. A function has a whole CPU while it
 * starts. https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
function billedMilliseconds({ cached, uncached, readShare, start, firstCall }: Usage): number {
  const stretch = CPU_MEGABYTES / DEFAULT_MEMORY_MEGABYTES;
  const billed = ({ wall, cpu }: Times) => Math.ceil(wall + cpu * (stretch - 1));
  const warm = readShare * billed(uncached) + (1 - readShare) * billed(cached);
  const cold = Math.ceil(start + firstCall * stretch);
  return warm + (cold - warm) / CALLS_PER_COLD_START;
}
