import { CALLS_PER_COLD_START, CALLS_PER_READ } from '../results/assumptions.ts';
import { PRICES, type Tier } from '../results/prices.ts';
import { type Monitoring, monitoringDollars } from './monitoring.ts';

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
const CALLS_A_DAY = [1e3, 1e6, 1e9] as const;

/* Assumptions, which docs/scaling.md names. */

/** One call in this many is promoCode/apply, with a new code; the others are getConfig. */
const CALLS_PER_PROMO_CODE = 10;
/** In the busiest second there are this many times more calls than in an average one. */
const PEAK_FACTOR = 10;
/** A warm call, with DynamoDB's own time. */
const WARM_SECONDS = 0.01;
/** A start of a function with its first call. */
const START_SECONDS = 0.3;
/** What a call writes to the log on average: the line of the gateway's access log. */
const LOG_BYTES = 512;
/** The item of a promo event without a token. */
const EVENT_BYTES = 400;
/** X-Ray's default rule records the first call of each second, and this share of the others. */
const TRACED_SHARE = 0.05;
/** The rules of the web ACL. */
const WEB_ACL_RULES = 5;

const DAYS_A_MONTH = 365 / 12;
const DAY_SECONDS = 24 * 60 * 60;
/** One call of the function that publishes, for one event: 25 ms with a gigabyte. */
const PUBLISHED_EVENT = PRICES.lambdaRequest + 0.025 * PRICES.lambdaGigabyteSecond;
/** The write units per second of one partition of DynamoDB. */
const PARTITION_WRITES = 1000;
/** Half of the requests per second that API Gateway allows an account in a region by default. */
const ACCOUNT_REQUESTS = 5000;
const GIGABYTE = 1024 ** 3;

/** The load and the monthly cost at one size, by the rows of the tables. */
export interface Scale {
  readonly load: Readonly<Record<string, number>>;
  /** US dollars a month, by service. */
  readonly dollars: Readonly<Record<string, number>>;
  readonly dollarsPerMillionCalls: number;
  /** US dollars a month for what a year of promo events takes, with its backup. */
  readonly storageDollars: number;
}

/** Computes load and cost for a number of calls a day. */
export function scaleAt(
  callsADay: number,
  { getConfig, applyPromoCode }: MeasuredCosts,
  monitoring: Monitoring,
): Scale {
  const calls = callsADay * DAYS_A_MONTH;
  const promoCodes = calls / CALLS_PER_PROMO_CODE;
  const others = calls - promoCodes;
  const both = (part: keyof MeasuredCost) =>
    (others * getConfig[part] + promoCodes * applyPromoCode[part]) / 1_000_000;

  const average = callsADay / DAY_SECONDS;
  const peak = PEAK_FACTOR * average;
  const writes = peak / CALLS_PER_PROMO_CODE;
  const secondsPerCall = WARM_SECONDS + START_SECONDS / CALLS_PER_COLD_START;
  const storedGigabytes = (promoCodes * 12 * EVENT_BYTES) / GIGABYTE;
  const dollars = {
    'API Gateway': tiered(calls, PRICES.gatewayRequestTiers),
    Lambda: both('lambda'),
    'DynamoDB, reads and writes': both('dynamodb'),
    EventBridge: promoCodes * PRICES.busEvent,
    'events, published one by one': promoCodes * PUBLISHED_EVENT,
    'AWS WAF': PRICES.webAcl + WEB_ACL_RULES * PRICES.webAclRule + calls * PRICES.webAclRequest,
    transfer: both('transfer'),
    logs: ((calls * LOG_BYTES) / GIGABYTE) * PRICES.gigabyteLogged,
    'alarms, metrics, dashboard': sum(Object.values(monitoringDollars(monitoring))),
    traces: tracesPerSecond(average) * DAYS_A_MONTH * DAY_SECONDS * PRICES.trace,
  };
  return {
    load: {
      'calls per second, on average': average,
      'calls per second, at the peak': peak,
      'of which `getConfig`': peak - writes,
      'concurrent functions, at the peak': Math.ceil(peak * secondsPerCall),
      'reads of clients per second, at the peak': peak / CALLS_PER_READ,
      'writes of promo events per second, at the peak': writes,
      'partitions that these writes need': Math.ceil(writes / PARTITION_WRITES),
      'accounts, if each uses half of its requests per second': Math.ceil(peak / ACCOUNT_REQUESTS),
      'promo events of a year, GB': storedGigabytes,
    },
    dollars,
    dollarsPerMillionCalls: (sum(Object.values(dollars)) / calls) * 1_000_000,
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

/** Reads the cost of our operations from the report of the bench in docs/performance.md. */
export function measuredCosts(report: string): MeasuredCosts {
  const [, ofOurs = ''] = /^Cost of ours: .*\n.*\n((?:.*\n){2})/m.exec(report) ?? [];
  const of = (operation: string): MeasuredCost => {
    const row = ofOurs.split('\n').find((line) => line.trim().startsWith(`${operation} `)) ?? '';
    const cells = row.replace(/\(.*?\)/g, '').trim();
    const [, , , lambda, dynamodb, transfer] = cells.split(/ +/).map(Number);
    if (lambda === undefined || dynamodb === undefined || transfer === undefined) {
      throw new Error(`The report has no cost of ${operation}.`);
    }
    return { lambda, dynamodb, transfer };
  };
  return { getConfig: of('getConfig'), applyPromoCode: of('promoCode/apply') };
}

/**
 * The tables of docs/scaling.md, as Markdown.
 *
 * @param stages the monitoring of stages by their names. The loads are those of `prod`.
 */
export function scalingTables(
  costs: MeasuredCosts,
  stages: { readonly prod: Monitoring; readonly dev: Monitoring },
): string {
  const scales = CALLS_A_DAY.map((calls) => scaleAt(calls, costs, stages.prod));
  const texts = (numbers: Readonly<Record<string, number>>) =>
    Object.entries(numbers).map(([name, value]) => [name, text(value)] as const);
  const sizes = CALLS_A_DAY.map((calls) => `${text(calls)} a day`);
  return [
    table(
      'load',
      sizes,
      scales.map(({ load }) => texts(load)),
    ),
    table(
      'US dollars a month',
      sizes,
      scales.map(({ dollars, dollarsPerMillionCalls, storageDollars }) => [
        ...texts(dollars),
        ['**total**', `**${text(sum(Object.values(dollars)))}**`],
        ['per million calls', dollarsPerMillionCalls.toFixed(2)],
        ['and for a year of promo events, with their backup', text(storageDollars)],
      ]),
    ),
    table(
      'alarms, metrics, dashboard, US dollars a month',
      Object.keys(stages),
      Object.values(stages).map((monitoring) => {
        const dollars = monitoringDollars(monitoring);
        const total = sum(Object.values(dollars));
        const withoutCalls = sum(
          Object.values(monitoringDollars({ ...monitoring, customMetrics: 0 })),
        );
        return [
          ...texts(dollars),
          ['**total**', `**${text(total)}**`],
          ['**of a stage without calls**', `**${text(withoutCalls)}**`],
        ];
      }),
    ),
  ].join('\n\n');
}

/** A row of a column: its name, which all columns share, and its cell. */
type Cell = readonly [name: string, cell: string];

function table(
  heading: string,
  names: readonly string[],
  columns: readonly (readonly Cell[])[],
): string {
  const line = (name: string, cells: readonly string[]) => `| ${[name, ...cells].join(' | ')} |`;
  return [
    line(heading, names),
    line(
      '---',
      names.map(() => '---:'),
    ),
    ...(columns[0] ?? []).map(([name], row) =>
      line(
        name,
        columns.map((cells) => cells[row]?.[1] ?? ''),
      ),
    ),
  ].join('\n');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** A number with two significant digits below 100, and whole above. */
function text(value: number): string {
  const digits = value < 100 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 };
  return value.toLocaleString('en-US', digits);
}
