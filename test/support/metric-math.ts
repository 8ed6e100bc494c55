/** A value per period, the newest last; undefined where there is none. */
export type Series = readonly (number | undefined)[];

/**
 * The quota of concurrent executions of the account in question, which is the only quota that our
 * alarms use.
 */
const QUOTA = 1000;

/** Makes the series of an expression from those of its names. */
type Evaluate = (names: Readonly<Record<string, Series>>) => Series;

const OPERATORS: readonly Readonly<Record<string, (one: number, other: number) => number>>[] = [
  { OR: (one, other) => Number(one !== 0 || other !== 0) },
  { AND: (one, other) => Number(one !== 0 && other !== 0) },
  {
    '>=': (one, other) => Number(one >= other),
    '<=': (one, other) => Number(one <= other),
    '==': (one, other) => Number(one === other),
    '>': (one, other) => Number(one > other),
    '<': (one, other) => Number(one < other),
  },
  { '+': (one, other) => one + other, '-': (one, other) => one - other },
  { '*': (one, other) => one * other, '/': (one, other) => one / other },
];

/**
 * Evaluates an expression of CloudWatch's metric math, with the operators and functions that our
 * alarms use.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 *
 * @param names the series of all names, with the same length.
 * @throws Error for a name without a series, or an expression that it cannot parse.
 */
export function evaluate(expression: string, names: Readonly<Record<string, Series>>): Series {
  const tokens = expression.match(/[A-Za-z]\w*|\d+(?:\.\d+)?|[<>=]=|[-+*/<>(),]/g) ?? [];
  const take = (expected?: string): string => {
    const token = tokens.shift();
    if (token === undefined || (expected !== undefined && token !== expected)) {
      throw new Error(`${expression}: ${expected} is missing before ${token}.`);
    }
    return token;
  };
  const binary = (level: number): Evaluate => {
    const operators = OPERATORS[level];
    if (!operators) return primary();
    let left = binary(level + 1);
    for (
      let operator = operators[tokens[0] ?? ''];
      operator;
      operator = operators[tokens[0] ?? '']
    ) {
      take();
      left = pointwise(operator, left, binary(level + 1));
    }
    return left;
  };
  const primary = (): Evaluate => {
    const token = take();
    if (token === '(') return closed(binary(0));
    if (token === '-') return pointwise((zero, value) => zero - value, constant(0), primary());
    if (/^\d/.test(token)) return constant(Number(token));
    if (tokens[0] !== '(') return named(token);
    take();
    const first = binary(0);
    if (CLOCK.includes(token)) return closed(named(token));
    if (token === 'DIFF') return closed(difference(first));
    if (token === 'SERVICE_QUOTA') return closed(pointwise(() => QUOTA, first, first));
    take(',');
    if (token === 'FILL') return closed(filled(first, take()));
    if (token !== 'IF') throw new Error(`${expression}: ${token} is unknown.`);
    const then = binary(0);
    take(',');
    return closed(conditional(first, then, binary(0)));
  };
  const closed = (value: Evaluate): Evaluate => {
    take(')');
    return value;
  };
  const result = binary(0);
  if (tokens.length > 0) throw new Error(`${expression}: ${tokens[0]} was not expected.`);
  return result(names);
}

function named(name: string): Evaluate {
  return (names) => {
    const series = names[name];
    if (!series) throw new Error(`There is no series ${name}.`);
    return series;
  };
}

function constant(value: number): Evaluate {
  return (names) => (Object.values(names)[0] ?? []).map(() => value);
}

/** A period has no value if one side has none, or if the result is not a number. */
function pointwise(
  operator: (one: number, other: number) => number,
  left: Evaluate,
  right: Evaluate,
): Evaluate {
  return (names) => {
    const others = right(names);
    return left(names).map((one, period) => {
      const other = others[period];
      const value = one === undefined || other === undefined ? undefined : operator(one, other);
      return Number.isFinite(value) ? value : undefined;
    });
  };
}

function difference(of: Evaluate): Evaluate {
  return (names) => {
    const values = of(names);
    return values.map((value, period) => {
      const before = values[period - 1];
      return value === undefined || before === undefined ? undefined : value - before;
    });
  };
}

/** `REPEAT` is the value before. */
function filled(of: Evaluate, filling: string): Evaluate {
  return (names) => {
    let last: number | undefined;
    return of(names).map((value) => {
      last = value ?? (filling === 'REPEAT' ? last : Number(filling));
      return last;
    });
  };
}

function conditional(condition: Evaluate, then: Evaluate, otherwise: Evaluate): Evaluate {
  return (names) => {
    const [yes, no] = [then(names), otherwise(names)];
    return condition(names).map((value, period) =>
      value === undefined ? undefined : value === 0 ? no[period] : yes[period],
    );
  };
}

/** An alarm of a template, as far as its state depends on it. */
export interface AlarmProperties {
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  /** How many of these periods must be above the threshold; by default all. */
  readonly DatapointsToAlarm?: number;
  readonly Metrics?: readonly {
    readonly Id: string;
    readonly Expression?: string;
    /** What is measured, unless it is computed. */
    readonly MetricStat?: object;
    readonly ReturnData?: boolean;
  }[];
}

/** Functions of a period's time. Their series are given by these names; by default it is 12:12. */
const CLOCK = ['HOUR', 'MINUTE'];

/** The name of the only metric of an alarm without metric math. */
export const METRIC = 'metric';

/**
 * Returns whether an alarm is on after some periods. All our alarms fire above a threshold, and
 * missing values do not breach it.
 *
 * @param measured the series of the metrics, by their ids in the alarm. A metric that it leaves out
 *   has no values.
 * @throws Error if the alarm has no such metric.
 */
export function isOn(
  {
    Threshold,
    EvaluationPeriods,
    DatapointsToAlarm = EvaluationPeriods,
    Metrics = [{ Id: METRIC, ReturnData: true }],
  }: AlarmProperties,
  measured: Readonly<Record<string, Series>>,
): boolean {
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
  return above.length >= DatapointsToAlarm;
}
