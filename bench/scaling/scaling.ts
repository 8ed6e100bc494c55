import { CALLS_PER_COLD_START, CALLS_PER_READ } from '../results/assumptions.ts';
import { PRICES, type Tier } from '../results/prices.ts';

/** US dollars per million calls of one operation, from the first million on. */
export interface MeasuredCost {
  readonly lambda: number;
  readonly dynamodb: number;
  readonly transfer: number;
}

/** The measured cost of both operations. */
export interface MeasuredCosts {
  readonly getConfig: MeasuredCost;
  readonly applyPromoCode: MeasuredCost;
}

/** The sizes for which the table has a column, in calls a day. */
export const CALLS_A_DAY = [1e3, 1e6, 1e9] as const;

/* Assumptions, which docs/scaling.md names. */

/** One call in this many is promoCode/apply, with a new code; the others are getConfig. */
export const CALLS_PER_PROMO_CODE = 10;
/** In the busiest second there are this many times more calls than in an average one. */
export const PEAK_FACTOR = 10;
/** A warm call, with DynamoDB's own time. */
const WARM_SECONDS = 0.01;
/** A start of a function with its first call. */
const START_SECONDS = 0.3;
/** What a call writes to the log on average: the line of the gateway's access log. */
export const LOG_BYTES = 512;
/** The item of a promo event without a token. */
const EVENT_BYTES = 400;
/** X-Ray's default rule records the first call of each second, and this share of the others. */
const TRACED_SHARE = 0.05;
/** The rules of the web ACL. */
const WEB_ACL_RULES = 5;

const DAYS_A_MONTH = 365 / 12;
const DAY_SECONDS = 24 * 60 * 60;
/** The write units per second of one partition of DynamoDB. */
const PARTITION_WRITES = 1000;
/** Half of the requests per second that API Gateway allows an account in a region by default. */
const ACCOUNT_REQUESTS = 5000;
const GIGABYTE = 1024 ** 3;

/** The load and the monthly cost at one size. */
export interface Scale {
  readonly callsPerSecond: number;
  readonly peakCallsPerSecond: number;
  readonly getConfigPerSecond: number;
  readonly writesPerSecond: number;
  readonly readsPerSecond: number;
  readonly partitions: number;
  readonly concurrency: number;
  readonly accounts: number;
  /** US dollars a month, by service. */
  readonly dollars: Readonly<Record<Service, number>>;
  /** What a year of promo events takes. */
  readonly storedGigabytes: number;
  /** US dollars a month for it, with its backup. */
  readonly storageDollars: number;
}

type Service =
  | 'API Gateway'
  | 'Lambda'
  | 'DynamoDB, reads and writes'
  | 'EventBridge'
  | 'AWS WAF'
  | 'transfer'
  | 'logs'
  | 'traces';

/** Computes load and cost for a number of calls a day. */
export function scaleAt(callsADay: number, { getConfig, applyPromoCode }: MeasuredCosts): Scale {
  const calls = callsADay * DAYS_A_MONTH;
  const promoCodes = calls / CALLS_PER_PROMO_CODE;
  const others = calls - promoCodes;
  const both = (part: keyof MeasuredCost) =>
    (others * getConfig[part] + promoCodes * applyPromoCode[part]) / 1_000_000;

  const callsPerSecond = callsADay / DAY_SECONDS;
  const peakCallsPerSecond = PEAK_FACTOR * callsPerSecond;
  const writesPerSecond = peakCallsPerSecond / CALLS_PER_PROMO_CODE;
  const getConfigPerSecond = peakCallsPerSecond - writesPerSecond;
  const secondsPerCall = WARM_SECONDS + START_SECONDS / CALLS_PER_COLD_START;
  const storedGigabytes = (promoCodes * 12 * EVENT_BYTES) / GIGABYTE;
  return {
    callsPerSecond,
    peakCallsPerSecond,
    getConfigPerSecond,
    writesPerSecond,
    readsPerSecond: peakCallsPerSecond / CALLS_PER_READ,
    partitions: Math.ceil(writesPerSecond / PARTITION_WRITES),
    concurrency: Math.ceil(peakCallsPerSecond * secondsPerCall),
    accounts: Math.ceil(peakCallsPerSecond / ACCOUNT_REQUESTS),
    dollars: {
      'API Gateway': tiered(calls, PRICES.gatewayRequestTiers),
      Lambda: both('lambda'),
      'DynamoDB, reads and writes': both('dynamodb'),
      EventBridge: promoCodes * (PRICES.pipeRequest + PRICES.busEvent),
      'AWS WAF': PRICES.webAcl + WEB_ACL_RULES * PRICES.webAclRule + calls * PRICES.webAclRequest,
      transfer: both('transfer'),
      logs: ((calls * LOG_BYTES) / GIGABYTE) * PRICES.gigabyteLogged,
      traces: tracesPerSecond(callsPerSecond) * DAYS_A_MONTH * DAY_SECONDS * PRICES.trace,
    },
    storedGigabytes,
    storageDollars: storedGigabytes * (PRICES.gigabyteStored + PRICES.gigabyteBackup),
  };
}

function tracesPerSecond(callsPerSecond: number): number {
  const first = Math.min(1, callsPerSecond);
  return first + TRACED_SHARE * (callsPerSecond - first);
}

function tiered(units: number, tiers: readonly Tier[]): number {
  let from = 0;
  let dollars = 0;
  for (const { upTo, price } of tiers) {
    dollars += Math.max(0, Math.min(units, upTo) - from) * price;
    from = upTo;
  }
  return dollars;
}

/** Reads the cost of our own operations from the report of the bench in docs/performance.md. */
export function measuredCosts(report: string): MeasuredCosts {
  const of = (operation: string): MeasuredCost => {
    const [, row = ''] =
      new RegExp(`^Cost, ${operation}: .*\\n.*\\n +ours +(.*)$`, 'm').exec(report) ?? [];
    const [, , lambda, dynamodb, transfer] = row
      .replace(/\(.*?\)/g, '')
      .trim()
      .split(/ +/)
      .map(Number);
    if (lambda === undefined || dynamodb === undefined || transfer === undefined) {
      throw new Error(`The report has no cost of ${operation}.`);
    }
    return { lambda, dynamodb, transfer };
  };
  return { getConfig: of('getConfig'), applyPromoCode: of('promoCode/apply') };
}

/** The tables of docs/scaling.md, as Markdown. */
export function scalingTables(costs: MeasuredCosts): string {
  const scales = CALLS_A_DAY.map((calls) => scaleAt(calls, costs));
  const row = (name: string, cell: (scale: Scale) => string) =>
    `| ${name} | ${scales.map(cell).join(' | ')} |`;
  const table = (heading: string, rows: readonly string[]) =>
    [
      `| ${heading} | ${CALLS_A_DAY.map((calls) => `${number(calls)} a day`).join(' | ')} |`,
      `| --- |${' ---: |'.repeat(CALLS_A_DAY.length)}`,
      ...rows,
    ].join('\n');
  const services = Object.keys(scales[0]?.dollars ?? {}) as Service[];
  const total = ({ dollars }: Scale) => services.reduce((sum, name) => sum + dollars[name], 0);
  return [
    table('load', [
      row('calls per second, on average', ({ callsPerSecond }) => number(callsPerSecond)),
      row('calls per second, at the peak', ({ peakCallsPerSecond }) => number(peakCallsPerSecond)),
      row('of which `getConfig`', ({ getConfigPerSecond }) => number(getConfigPerSecond)),
      row('concurrent functions, at the peak', ({ concurrency }) => number(concurrency)),
      row('reads of clients per second, at the peak', ({ readsPerSecond }) =>
        number(readsPerSecond),
      ),
      row('writes of promo events per second, at the peak', ({ writesPerSecond }) =>
        number(writesPerSecond),
      ),
      row('partitions that these writes need', ({ partitions }) => number(partitions)),
      row('accounts, if each uses half of its requests per second', ({ accounts }) =>
        number(accounts),
      ),
      row('promo events of a year, GB', ({ storedGigabytes }) => number(storedGigabytes)),
    ]),
    table('US dollars a month', [
      ...services.map((service) => row(service, ({ dollars }) => number(dollars[service]))),
      row('**total**', (scale) => `**${number(total(scale))}**`),
      row('per million calls', (scale) =>
        ((total(scale) / (scale.callsPerSecond * DAY_SECONDS * DAYS_A_MONTH)) * 1_000_000).toFixed(
          2,
        ),
      ),
      row('and for a year of promo events, with their backup', ({ storageDollars }) =>
        number(storageDollars),
      ),
    ]),
  ].join('\n\n');
}

/** A number with two significant digits below 100, and whole above. */
function number(value: number): string {
  const digits = value < 100 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 };
  return value.toLocaleString('en-US', digits);
}
