import type { Operation } from './contestants.ts';
import { PRICES } from './prices.ts';

/** Memory of the functions, in megabytes, and with how many Lambda gives one CPU. */
const MEMORY = 512;
const MEMORY_OF_A_CPU = 1769;
/** Of so many calls one starts a function. */
export const CALLS_PER_COLD_START = 200;
/** Of so many calls one finds that the client's item has to be read again. */
export const CALLS_PER_READ = 20;

/** What decides the price of a call; times in milliseconds. */
export interface Usage {
  readonly operation: Operation;
  readonly warm: { readonly wall: number; readonly cpu: number };
  /** A start with its first call. */
  readonly cold: number;
  /** Which part of the calls reads the client's item, from 0 to 1. */
  readonly reads: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly answerBytes: number;
}

/** Dollars for a million calls, by what they are paid for. */
export interface Cost {
  readonly gateway: number;
  readonly lambda: number;
  readonly dynamodb: number;
  readonly transfer: number;
  readonly total: number;
}

/** What a million calls of an operation cost. */
export function costOf(usage: Usage): Cost {
  const seconds = billedMilliseconds(usage) / 1000;
  const writes = usage.operation === 'apply-promo-code' ? usage.writeUnits : 0;
  const gateway = PRICES.gatewayRequest * 1_000_000;
  const lambda =
    (PRICES.lambdaRequest + seconds * (MEMORY / 1024) * PRICES.lambdaGigabyteSecond) * 1_000_000;
  const dynamodb =
    (usage.reads * usage.readUnits * PRICES.readUnit + writes * PRICES.writeUnit) * 1_000_000;
  const transfer = (usage.answerBytes / 1024 ** 3) * PRICES.gigabyteOut * 1_000_000;
  return { gateway, lambda, dynamodb, transfer, total: gateway + lambda + dynamodb + transfer };
}

/**
 * Of a call on average, a start now and then included. A function has a part of a CPU, so that what takes CPU time
 * takes longer there; a start has a whole one. Billed in whole milliseconds.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
function billedMilliseconds({ warm, cold }: Usage): number {
  const stretched = warm.wall + warm.cpu * (MEMORY_OF_A_CPU / MEMORY - 1);
  return Math.ceil(stretched) + Math.ceil(cold) / CALLS_PER_COLD_START;
}
