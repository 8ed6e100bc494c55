import { describe, expect, test } from 'vitest';
import { QUEUE_FUNCTION, RECORDING_FUNCTION } from '../../core/function-names.ts';
import { functionName } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import {
  type AlarmProperties,
  evaluate,
  isOn,
  METRIC,
  type Series,
} from '../support/metric-math.ts';
import { templateFor } from '../support/stack.ts';

/*
 * When each alarm is on, computed from its template and from what CloudWatch would have measured.
 * test/integration/api/metrics shows that the functions count these metrics.
 */

const template = templateFor({
  gradualDeployment: true,
  reservedConcurrency: { GetConfig: 200 },
});
const alarms = new Map(
  Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => [
    Properties.AlarmName.replace('CustomerDataApi-test-', ''),
    Properties as AlarmProperties,
  ]),
);

type Measured = Readonly<Record<string, Series>>;

const __ = undefined;

const STATES: readonly [alarm: string, on: [string, Measured][], off: [string, Measured][]][] = [
  [
    'OtherUsers',
    [
      ['a wrong userIdClaim refuses every promo code', { part: [20], forbidden: [20] }],
      ['one in eight is refused', { part: [10], ok: [70], forbidden: [10] }],
    ],
    [
      ['guests and apps with a fault are few', { part: [10], ok: [90], forbidden: [10] }],
      ['an app with a fault has few users', { part: [19], forbidden: [19] }],
    ],
  ],
  [
    'ApplyPromoCodeFailedCalls',
    [
      ['the bundle of the new version fails at startup', { crashed: [12], calls: [12] }],
      ['2 % of its calls are answered with an error', { answered: [2], calls: [100] }],
      ['it locks out a client', { locked: [3], lockedByAny: [3], calls: [200] }],
    ],
    [
      ['it fails once in a hundred calls', { answered: [1], calls: [100] }],
      ['the old version locks the client out too', { locked: [3], lockedByAny: [30], calls: [50] }],
      ['it has no calls', { calls: [__] }],
    ],
  ],
  [
    'ApplyPromoCodeAvailability',
    [
      ['the function crashes, so that it counts nothing itself', { crashes: [3] }],
      ['4 of 60 accepted calls fail', { ok: [56], errors: [4] }],
    ],
    [
      ['two calls fail', { errors: [2] }],
      ['3 of 100 accepted calls fail', { ok: [97], errors: [3] }],
    ],
  ],
  [
    'GatewayErrors',
    [['three of 59 calls fail as apps see them', { part: [3], whole: [59] }]],
    [['there are only two calls, and both fail', { part: [2], whole: [2] }]],
  ],
  [
    'GatewayRefusals',
    [
      [
        'for 15 minutes, limits keep apps from being served',
        { refused: [70, 70, 70], ours0: [5, 5, 5], ours1: [5, 5, 5], whole: [150, 150, 150] },
      ],
    ],
    [
      [
        'a function refuses the calls, not the gateway',
        { refused: [60, 60, 60], ours0: [40, 40, 40], ours1: [20, 20, 20], whole: [60, 60, 60] },
      ],
      [
        'somebody searches for paths for ten minutes',
        { refused: [0, 500, 500], whole: [100, 600, 600] },
      ],
    ],
  ],
  [
    'CallsStopped',
    [
      [
        'there were a hundred calls in the hour before',
        { answered0: [60, __], answered1: [40, __] },
      ],
    ],
    [
      ['there were few in the hour before', { answered0: [99, __] }],
      ['a tenth of the calls is left', { answered0: [1000, 100] }],
      ['there has been no call for two hours', { answered0: [__, __] }],
    ],
  ],
  [
    'ClientLockedOut',
    [['one call of a locked client is refused', { service1: [1] }]],
    [['no call was', { service0: [0], service1: [__] }]],
  ],
  [
    'ConfigurationBroken',
    [['one response lacks a field', { [METRIC]: [1] }]],
    [['the configuration is corrected', { [METRIC]: [4, __] }]],
  ],
  [
    'StaleClients',
    [['for ten minutes old copies are served', { service0: [5, 5] }]],
    [['a single read failed', { service0: [__, 1] }]],
  ],
  [
    'GetConfigExpiredTokens',
    [['apps get no new tokens', { part: [31], whole: [50] }]],
    [
      ['apps notice the expiry from the response', { part: [50], whole: [100] }],
      ['an app with a fault makes all of the few calls', { part: [49], whole: [49] }],
    ],
  ],
  [
    'GetConfigUnauthorized',
    [['a key was removed that apps still use', { part: [16], whole: [50] }]],
    [
      ['a stranger tries keys', { part: [30], whole: [100] }],
      ['an app with a fault makes all of the few calls', { part: [49], whole: [49] }],
    ],
  ],
  [
    'PromoEventsWaiting',
    [['the trigger of the function is off', { age: [1000, 1300] }]],
    [
      ['a slow table is being retried', { age: [4000, 4300], invocations: [30, 25] }],
      [
        'the invocations of the newest minutes are not published yet',
        { age: [1000, 1300], invocations: [4, __] },
      ],
      ['messages are young', { age: [800, 900] }],
    ],
  ],
  [
    'PromoEventsFailing',
    [['for 15 minutes events could not be stored', { errors: [3, __, 2], crashes: [__, 1, __] }]],
    [
      ['a healthy function works off a long queue', { errors: [__, __, __] }],
      ['the table throttles for ten minutes', { errors: [__, 30, 10] }],
    ],
  ],
  [
    'PromoEventsDead',
    [['there is a dead letter', { [METRIC]: [1] }]],
    [['there is none', { [METRIC]: [0] }]],
  ],
  [
    'MorePromoEventsDead',
    [['another one arrives beside one that stays', { visible: [1, 2], inFlight: [0, 0] }]],
    [
      ['one stays', { visible: [1, 1], inFlight: [0, 0] }],
      ['somebody looks at it', { visible: [1, 0], inFlight: [0, 1] }],
      ['SQS published no value for a minute', { visible: [1, __], inFlight: [0, __] }],
    ],
  ],
  [
    'NoPromoCodesApplied',
    [
      ['for three hours all are refused', { requests: [10, 12, 11] }],
      ['for three hours apps send none', { starts: [1000, 2000, 1500] }],
    ],
    [
      ['one of them succeeded', { applied: [1, __, __], requests: [10, 12, 11] }],
      ['it is night', { requests: [9, 9, 9], starts: [999, 999, 999] }],
    ],
  ],
  [
    'PipeBehind',
    [['for 15 minutes events are stored and none is sent', { applied: [5, 5, 5] }]],
    [
      ['they are sent within ten minutes', { applied: [5, 5, 5], sent: [15, __, __] }],
      ['nothing is stored', { sent: [__, __, __] }],
    ],
  ],
  [
    'PipeFailing',
    [['for 15 minutes executions fail', { failed: [1, __, 2], partly: [__, 3, __] }]],
    [['executions fail for ten minutes', { failed: [__, 1, 2] }]],
  ],
  [
    'PipeDead',
    [['the bus rejected a record without a kind', { [METRIC]: [1] }]],
    [['it was replayed or removed', { [METRIC]: [1, 0] }]],
  ],
  [
    'ManualEditHarmedClient',
    [['a manual edit locked a client out', { [METRIC]: [1] }]],
    [['no edit harmed a client', { [METRIC]: [__] }]],
  ],
  [
    'GetConfigLatency',
    [
      [
        'for 15 minutes, one call in ten takes more than two seconds',
        { [METRIC]: [2001, 2500, 2100] },
      ],
    ],
    [['many functions start for ten minutes', { [METRIC]: [900, 2500, 2500] }]],
  ],
  [
    'StoreQueuedPromoEventsErrors',
    [['the function crashes three times in five minutes', { [METRIC]: [3] }]],
    [['it crashes twice', { [METRIC]: [2] }]],
  ],
  [
    'GetConfigThrottles',
    [['Lambda refuses eleven calls', { [METRIC]: [11] }]],
    [['it refuses a few calls of a push message', { [METRIC]: [10] }]],
  ],
  [
    'GetConfigConcurrency',
    [['for ten minutes, more than 160 of its 200 are used', { [METRIC]: [161, 200] }]],
    [['they are used for a moment', { [METRIC]: [100, 200] }]],
  ],
  [
    'AccountConcurrency',
    [['for ten minutes, more than 80 % of the quota are used', { used: [801, 900] }]],
    [['they are used for a moment', { used: [500, 900] }]],
  ],
  [
    'PromoEventsThrottled',
    [['for ten minutes, writes are throttled', { [METRIC]: [11, 200] }]],
    [['DynamoDB splits a partition', { [METRIC]: [200, __] }]],
  ],
  [
    'PromoEventsQueued',
    [['the table did not store five events in time', { [METRIC]: [5] }]],
    [['it did not store four', { [METRIC]: [4] }]],
  ],
  [
    'VersionsLate',
    [['a change has waited for more than five minutes', { [METRIC]: [300_001] }]],
    [['it waits for five minutes', { [METRIC]: [300_000] }]],
  ],
  [
    'VersionsMissing',
    [
      ['a change was given up', { deadLetters: [1] }],
      ['a change was skipped', { skipped: [1], deadLetters: [0] }],
    ],
    [
      ['its message was removed', { deadLetters: [1, 0] }],
      ['a minute ago, one was skipped', { skipped: [1, __], deadLetters: [0, 0] }],
    ],
  ],
  [
    'PipeThrottled',
    [['for 15 minutes EventBridge throttles the pipe', { [METRIC]: [1, 2, 1] }]],
    [['it does for ten minutes', { [METRIC]: [__, 2, 1] }]],
  ],
];

test('every alarm is here: of those that each function or table has, at least one', () => {
  const functions = [...OPERATIONS.map(functionName), QUEUE_FUNCTION, RECORDING_FUNCTION].join('|');
  const owner = new RegExp(`^(${functions}|(Configs|PromoEvents)(?=Throttled))`);
  const kindOf = (name: string) => name.replace(owner, '');
  const shown = new Set(STATES.map(([name]) => kindOf(name)));
  const kinds = [...alarms.keys()].map(kindOf);
  expect(kinds.filter((kind) => !shown.has(kind))).toEqual([]);
});

test('no alarm measures the same twice', () => {
  for (const [name, { Metrics = [] }] of alarms) {
    const measured = Metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
    const different = new Set(measured.map((one) => JSON.stringify(one)));
    expect(different.size, name).toBe(measured.length);
  }
});

describe.each(STATES)('%s', (name, on, off) => {
  const alarm = alarms.get(name) ?? { Threshold: Number.NaN, EvaluationPeriods: 0 };

  test.each(on)('is on if %s', (_, measured) => {
    expect(isOn(alarm, measured)).toBe(true);
  });

  test.each(off)('is off if %s', (_, measured) => {
    expect(isOn(alarm, measured)).toBe(false);
  });
});

test.each<[string, Series, boolean]>([
  ['above the threshold for as long as it must be', [6, 7, 6], true],
  ['at the threshold', [6, 5, 6], false],
  ['below it in the newest period', [6, 6, 6, 0], false],
  ['below it before those periods', [0, 6, 6, 6], true],
  ['without a value in one of them', [6, __, 6], false],
  ['above it for a shorter time than it must be', [6, 6], false],
])('an alarm on a metric that is %s', (_, series, expected) => {
  const alarm = { Threshold: 5, EvaluationPeriods: 3 };
  expect(isOn(alarm, { [METRIC]: series })).toBe(expected);
});

describe('metric math', () => {
  const names = { a: [0, 1], b: [5, 2], zero: [0, 0], missing: [__, __], x: [__, 3, __, 5] };

  test.each<[expression: string, newest: number | undefined]>([
    ['1 + 2 * 3 - 4 / 2', 5],
    ['10 - 3 - 2', 5],
    ['100 * (a + b) / a', 300],
    ['a / zero', __],
    ['a + missing', __],
    ['FILL(missing, 7) + a', 8],
    ['DIFF(b)', -3],
    ['-b', -2],
    ['IF(a > b OR b >= 2 AND a == 1, 10, 20)', 10],
    ['IF(a <= zero, 10, 20)', 20],
    ['IF(missing > 0, 1, 0)', __],
  ])('%s is %s in the newest period', (expression, newest) => {
    expect(evaluate(expression, names).at(-1)).toBe(newest);
  });

  test.each<[expression: string, all: Series]>([
    ['FILL(x, REPEAT)', [__, 3, 3, 5]],
    ['FILL(x, 7)', [7, 3, 7, 5]],
    ['DIFF(FILL(x, REPEAT))', [__, __, 0, 2]],
    ['IF(x >= 5, x, 0 - x)', [__, -3, __, 5]],
    ['6 / (x - 3)', [__, __, __, 3]],
  ])('%s is %j', (expression, all) => {
    expect(evaluate(expression, { x: names.x })).toEqual(all);
  });

  test.each(['MAX(a)', 'a +', '(a', 'unknown', 'a b'])('%s is refused', (expression) => {
    expect(() => evaluate(expression, { a: [1] })).toThrow();
  });
});
