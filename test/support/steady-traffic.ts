import { OPERATIONS } from '../../functions/operations.ts';
import { type AlarmProperties, isOn, METRIC, type MetricProperties } from './metric-math.ts';

/*
 * What CloudWatch measures of calls that arrive at an even rate, each of another customer, before
 * and after a fault that stays.
 */

/** The outcomes of a call, each with what is counted besides the call itself. */
const COUNTED = {
  served: ['Responses', 'Responses OK', 'SignedCall', 'Invocations'],
  refused: [
    'Responses',
    'ClientErrors',
    'SignedCall',
    'SignedCallRefused',
    'CustomerRefused',
    'Invocations',
    '4XXError',
  ],
  failed: ['Responses', 'ServerErrors', 'SignedCall', 'Invocations', '5XXError'],
  crashed: ['Errors', 'Invocations', '5XXError'],
  blocked: ['BlockedRequests AWSManagedRulesCommonRuleSet', '4XXError'],
  limited: ['BlockedRequests RatePerAddress', '4XXError'],
} as const;

export type Outcome = keyof typeof COUNTED;

/** The outcome of a call: `n` is its number among those of its operation. */
export type Fault = (operation: string, n: number) => Outcome;

/** One call in ten applies a promo code. */
const SHARES: Readonly<Record<string, number>> = { 'get-config': 0.9, 'apply-promo-code': 0.1 };

const MINUTES_OF_DAY = 24 * 60;
/** Two periods of the longest alarm. */
const MINUTES_BEFORE = MINUTES_OF_DAY;
const MINUTES_AFTER = MINUTES_OF_DAY / 2;

/** Names a metric by what tells it from others. Lambda's have the id of the function. */
function keyOf({ MetricName = '', Dimensions = [] }: MetricProperties): string {
  const values = Dimensions.flatMap((dimension) => {
    const { Name, Value } = Object(dimension);
    if (Name === 'FunctionName') {
      const id = String(Object(Value).Ref).toLowerCase();
      return (
        OPERATIONS.map(({ folder }) => folder).find((folder) =>
          id.startsWith(folder.replaceAll('-', '')),
        ) ?? id
      );
    }
    return ['service', 'code', 'Rule'].includes(Name) ? [String(Value)] : [];
  });
  return [MetricName, ...values.sort()].join(' ');
}

/** The counts of each metric up to each minute, of the day before and the half day after. */
export class SteadyTraffic {
  readonly #sums = new Map<string, Float64Array>();

  /**
   * @param fault what becomes of the calls from minute 0 on.
   * @param before what became of them before.
   */
  constructor(callsPerDay: number, fault: Fault, before: Fault = () => 'served') {
    for (const [operation, share] of Object.entries(SHARES)) {
      const rate = (callsPerDay * share) / MINUTES_OF_DAY;
      for (let minute = 0; minute < MINUTES_BEFORE + MINUTES_AFTER; minute++) {
        const outcomeOf = minute < MINUTES_BEFORE ? before : fault;
        const calls: Partial<Record<Outcome, number>> = {};
        for (let n = Math.floor(rate * minute); n < Math.floor(rate * (minute + 1)); n++) {
          const outcome = outcomeOf(operation, n);
          calls[outcome] = (calls[outcome] ?? 0) + 1;
        }
        for (const [outcome, number] of Object.entries(calls)) {
          for (const name of ['Count', ...COUNTED[outcome as Outcome]]) {
            this.#count(named(name, operation), minute, number);
          }
        }
      }
    }
    for (const sums of this.#sums.values()) {
      for (let minute = 1; minute < sums.length; minute++) {
        sums[minute] = (sums[minute] ?? 0) + (sums[minute - 1] ?? 0);
      }
    }
  }

  #count(key: string, minute: number, number: number): void {
    const counts = this.#sums.get(key) ?? new Float64Array(MINUTES_BEFORE + MINUTES_AFTER);
    counts[minute] = (counts[minute] ?? 0) + number;
    this.#sums.set(key, counts);
  }

  /** Returns whether calls of apps are among what an alarm measures. */
  static measures({ Metrics = [] }: AlarmProperties): boolean {
    const names = new Set(
      Object.values(COUNTED).flatMap((all) => all.map((one) => one.split(' ')[0])),
    );
    return Metrics.some(({ MetricStat }) => names.has(MetricStat?.Metric.MetricName));
  }

  /** Returns whether an alarm is on, some minutes after the fault began. */
  isOn(alarm: AlarmProperties, minutes: number): boolean {
    const metrics = alarm.Metrics ?? [
      { Id: METRIC, MetricStat: { Metric: alarm, Period: alarm.Period ?? 0 } },
    ];
    const measured = metrics.flatMap(({ Id, MetricStat }) => {
      if (!MetricStat) return [];
      const sums = this.#sums.get(keyOf(MetricStat.Metric));
      const period = MetricStat.Period / 60;
      const end = MINUTES_BEFORE + minutes;
      // One period more, for differences.
      const values = Array.from({ length: alarm.EvaluationPeriods + 1 }, (_, index) => {
        const last = end - 1 - period * (alarm.EvaluationPeriods - index);
        return (sums?.[last] ?? 0) - (sums?.[last - period] ?? 0) || undefined;
      });
      return [[Id, values] as const];
    });
    return isOn(alarm, Object.fromEntries(measured));
  }
}

/** Metrics of the gateway are of all calls. */
function named(name: string, operation: string): string {
  if (/^Count$|XXError$|^BlockedRequests/.test(name)) return name;
  const [metric = '', ...others] = name.split(' ');
  return [metric, ...[operation, ...others].sort()].join(' ');
}
