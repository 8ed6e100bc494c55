import { compileFunction } from 'node:vm';

/** A value per period, the newest last; undefined where there is none. */
export type Series = readonly (number | undefined)[];

/** Functions of a period's time. Their series are given by these names; by default it is 12:12. */
const CLOCK = ['HOUR', 'MINUTE'];

/** Differences of the expressions of our alarms from those of JavaScript. */
const IN_JAVASCRIPT: readonly (readonly [RegExp, string])[] = [
  [/\bAND\b/g, '&&'],
  [/\bOR\b/g, '||'],
  [/\bDIFF\(FILL\((\w+), 0\)\)/g, '(FILL("$1", 0) - BEFORE("$1", 0))'],
  [/\bFILL\((\w+)/g, 'FILL("$1"'],
  [/\bDIFF\((\w+)\)/g, '($1 - BEFORE("$1"))'],
  [/\b(HOUR|MINUTE)\(\w+\)/g, 'VALUE("$1")'],
  [/(?<!")\b[a-z]\w*/g, 'VALUE("$&")'],
];

/** Compiles an expression to a function of the values of a period. */
const compiled = memoized((expression: string) => {
  const code = IN_JAVASCRIPT.reduce((text, [from, to]) => text.replaceAll(from, to), expression);
  return compileFunction(`return ${code};`, ['BEFORE', 'FILL', 'IF', 'VALUE']);
});

function memoized<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

/** A period has no value if its expression needs one of a period before that has none. */
class Missing extends Error {}

/**
 * Evaluates an expression of CloudWatch's metric math, with the operators and functions that our
 * alarms use. A missing value counts as 0 where another series has one. FILL fills none into a
 * series without any value, because it is not documented that it does.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 *
 * @param names the series of all names, with the same length.
 * @throws Error for a name without a series, or an expression that it cannot parse.
 */
function evaluate(expression: string, names: Readonly<Record<string, Series>>): Series {
  const compute = compiled(expression);
  const seriesOf = (name: string) => {
    const { [name]: series } = names;
    if (!series) throw new Error(`There is no series ${name}.`);
    return series;
  };
  return (Object.values(names)[0] ?? []).map((_, period) => {
    let hasValue = false;
    const read = (name: string, filling?: number) => {
      const series = seriesOf(name);
      const isEmpty = series.every((one) => one === undefined);
      const value = series[period] ?? (isEmpty ? undefined : filling);
      if (value !== undefined && !CLOCK.includes(name)) hasValue = true;
      return value ?? 0;
    };
    const before = (name: string, filling?: number) => {
      const value = seriesOf(name)[period - 1] ?? (period > 0 ? filling : undefined);
      if (value === undefined) throw new Missing();
      return value;
    };
    const choose = (condition: unknown, then: number, otherwise: number) =>
      condition ? then : otherwise;
    try {
      const value = Number(compute(before, read, choose, (name: string) => read(name)));
      return hasValue && Number.isFinite(value) ? value : undefined;
    } catch (error) {
      if (error instanceof Missing) return undefined;
      throw error;
    }
  });
}

/** A metric of a template, as far as it is read. */
export interface MetricProperties {
  readonly MetricName?: string;
  readonly Dimensions?: readonly unknown[];
}

/** An alarm of a template, as far as its state depends on it, and whom it tells. */
export interface AlarmProperties extends MetricProperties {
  readonly AlarmActions?: readonly unknown[];
  readonly InsufficientDataActions?: readonly unknown[];
  /** The period of an alarm on one metric. */
  readonly Period?: number;
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  /** The number of these periods that must be above the threshold; by default all. */
  readonly DatapointsToAlarm?: number;
  readonly TreatMissingData?: string;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    /** The measured metric, unless it is computed. */
    readonly MetricStat?: { readonly Period: number; readonly Metric: MetricProperties };
    readonly ReturnData?: boolean;
  }[];
}

/** The name of the only metric of an alarm without metric math. */
export const METRIC = 'metric';

/** Returns whether an alarm is on after some periods, as `stateOf`. */
export function isOn(alarm: AlarmProperties, measured: Readonly<Record<string, Series>>): boolean {
  return stateOf(alarm, measured) === 'ALARM';
}

/**
 * Returns the state of an alarm after some periods. All our alarms fire above a threshold, and
 * missing values do not breach it.
 *
 * @param measured the series of the metrics, by their ids in the alarm. A metric that it leaves out
 *   has no values.
 * @throws Error if the alarm has no such metric.
 */
export function stateOf(
  {
    Threshold,
    EvaluationPeriods,
    DatapointsToAlarm = EvaluationPeriods,
    TreatMissingData,
    Metrics = [{ Id: METRIC, ReturnData: true }],
  }: AlarmProperties,
  measured: Readonly<Record<string, Series>>,
): 'ALARM' | 'INSUFFICIENT_DATA' | 'OK' {
  const periods = Math.max(...Object.values(measured).map(({ length }) => length));
  const none = Array.from({ length: periods }, () => undefined);
  const inputs = Metrics.filter(({ Expression }) => Expression === undefined);
  const known = [...inputs.map(({ Id }) => Id), ...CLOCK];
  const unknown = Object.keys(measured).find((name) => !known.includes(name));
  if (unknown) throw new Error(`The alarm has no ${unknown}: ${known}.`);
  const midday = Object.fromEntries(CLOCK.map((name) => [name, none.map(() => 12)]));
  const names: Record<string, Series> = {
    ...midday,
    ...Object.fromEntries(inputs.map(({ Id }) => [Id, none])),
    ...measured,
  };
  // What an expression refers to may come after it.
  const seriesOf = (id: string): Series => {
    const { Expression = '' } = Metrics.find(({ Id }) => Id === id) ?? {};
    if (names[id]) return names[id];
    for (const [name] of Expression.matchAll(/\b[a-z]\w*\b/g)) names[name] ??= seriesOf(name);
    return evaluate(Expression, names);
  };
  const { Id = METRIC } = Metrics.find(({ ReturnData }) => ReturnData !== false) ?? {};
  const newest = seriesOf(Id).slice(-EvaluationPeriods);
  const above = newest.filter((value) => value !== undefined && value > Threshold);
  if (above.length >= DatapointsToAlarm) return 'ALARM';
  const hasNone = newest.every((value) => value === undefined);
  return hasNone && TreatMissingData === 'missing' ? 'INSUFFICIENT_DATA' : 'OK';
}
