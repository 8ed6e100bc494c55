import { median } from 'simple-statistics';
import type { Operation } from '../candidates/candidate.ts';
import { OURS } from '../candidates/candidates.ts';
import { measured, type PartFigures } from '../figures.ts';
import { CPU_MEGABYTES, JUDGED_MEGABYTES } from '../lambda/memory.ts';
import type { Call } from '../measurements/calls.ts';
import { CALLS_PER_COLD_START, CALLS_PER_READ } from './assumptions.ts';
import { PRICES } from './prices.ts';
import { sums } from './statistics.ts';

/** US dollars for a million calls, by service. */
export interface Cost {
  readonly total: number;
  readonly gateway: number;
  readonly lambda: number;
  readonly dynamodb: number;
  readonly transfer: number;
}

/** The warm calls of an operation, and the units of a write: an event has less than 1 KB. */
const CALLS_OF: Record<Operation, { cached: Call; read: Call; writeUnits: number }> = {
  'get-config': { cached: 'getConfig, cached', read: 'getConfig, read', writeUnits: 0 },
  'apply-promo-code': { cached: 'promoCode/apply', read: 'promoCode/apply, read', writeUnits: 1 },
};
/** A client of ten fields has less than 4 KB. */
const READ_UNITS = 1;
const MILLION = 1_000_000;
/**
 * A function has a fraction of a CPU during calls, which stretches their CPU time; a first call
 * hardly waits, so all of it is stretched. A function has a whole CPU while it starts.
 */
const STRETCH = CPU_MEGABYTES / JUDGED_MEGABYTES;

/** Computes the cost of one of our operations. */
export function costOf(
  operation: Operation,
  { cold, warm }: Pick<PartFigures, 'cold' | 'warm'>,
): Cost {
  const calls = CALLS_OF[operation];
  const isOurs = ({ candidate }: { readonly candidate: string }) => candidate === OURS.name;
  const warmOf = (call: Call) => warmCall(warm, call);
  const ofStart = measured(cold.find((one) => isOurs(one) && one.operation === operation));
  const { boot, initialisation, first } = ofStart.measured;

  const billed = (call: Call) => {
    const { p50, cpu } = warmOf(call);
    return Math.ceil((median(p50) + median(cpu) * (STRETCH - 1)) / 1000);
  };
  const warmMs =
    billed(calls.cached) + (billed(calls.read) - billed(calls.cached)) / CALLS_PER_READ;
  const startMs = Math.ceil(median(sums(boot, initialisation)) + median(first) * STRETCH);

  const gateway = MILLION * PRICES.gatewayRequest;
  const lambda = lambdaDollars(warmMs, startMs, JUDGED_MEGABYTES);
  const dynamodb =
    MILLION *
    ((READ_UNITS / CALLS_PER_READ) * PRICES.readUnit + calls.writeUnits * PRICES.writeUnit);
  const gigabytes = median(warmOf(calls.cached).responseBytes) / 1024 ** 3;
  const transfer = MILLION * gigabytes * PRICES.gigabyteOut;
  const total = gateway + lambda + dynamodb + transfer;
  return { total, gateway, lambda, dynamodb, transfer };
}

function warmCall(warm: PartFigures['warm'], call: Call) {
  return measured(warm.find((one) => one.candidate === OURS.name && one.call === call)).measured;
}

/**
 * The price of a million calls of Lambda, in US dollars. One call in 200 starts a function.
 *
 * @param warmMs what it bills for a warm call, in milliseconds.
 * @param startMs what it bills for a start with its first call.
 */
export function lambdaDollars(warmMs: number, startMs: number, megabytes: number): number {
  const seconds = (warmMs + (startMs - warmMs) / CALLS_PER_COLD_START) / 1000;
  const gigabyteSeconds = seconds * (megabytes / 1024);
  return MILLION * (PRICES.lambdaRequest + gigabyteSeconds * PRICES.lambdaGigabyteSecond);
}
