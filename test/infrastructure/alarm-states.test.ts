import { describe, expect, test } from 'vitest';
import {
  checkPromoEvents,
  publishPromoEvents,
  recordConfigurationVersions,
  storeQueuedPromoEvents,
} from '../../functions/definitions.ts';
import { functionName } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { shortName } from '../support/alarm-name.ts';
import {
  type AlarmProperties,
  isOn,
  METRIC,
  type Series,
  stateOf,
} from '../support/metric-math.ts';
import { templateFor } from '../support/stack.ts';
import { EVERY_ALARM } from './variants.ts';

/*
 * When each alarm is on, computed from its template and from what CloudWatch would have measured.
 * test/integration/api/metrics shows that the functions count these metrics.
 */

const alarmRecipients = { page: ['page@example.com'], inform: ['inform@example.com'] };
const template = templateFor({ ...EVERY_ALARM, alarmRecipients });
const [composite = {}] = Object.values(
  template.findResources('AWS::CloudWatch::CompositeAlarm'),
).map(({ Properties }) => Properties as Pick<AlarmProperties, 'AlarmActions'>);
const alarms = new Map(
  Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => [
    shortName(Properties.AlarmName),
    Properties as AlarmProperties,
  ]),
);

type Measured = Readonly<Record<string, Series>>;

const __ = undefined;

/** Five-minute periods without a value. */
const quiet = (periods: number) => Array.from({ length: periods }, () => __);

const STATES: readonly [alarm: string, on: [string, Measured][], off: [string, Measured][]][] = [
  [
    'Heartbeat',
    [['the API does not answer twice', { calls: [1, 1], errors: [1, 1] }]],
    [['the API answers once in ten minutes', { calls: [1, 1], errors: [1, __] }]],
  ],
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
      ['the bundle of the new version fails at startup', { crashed: [12, 9], calls: [12, 9] }],
      ['2 % of its calls are answered with an error', { answered: [2, 2], calls: [100, 99] }],
      ['it locks out a client', { locked: [3, 3], lockedByAny: [3, 3], calls: [200, 200] }],
      ['two of its five minutes are bad', { crashed: [1, 0, 0, 1, 0], calls: [9, 9, 9, 9, 9] }],
    ],
    [
      ['it fails once in a hundred calls', { answered: [1, 1], calls: [100, 100] }],
      ['one of its minutes is bad', { crashed: [0, 9, 0, 0, 0], calls: [9, 9, 9, 9, 9] }],
      [
        'the old version locks the client out too',
        { locked: [3, 3], lockedByAny: [30, 30], calls: [50, 50] },
      ],
    ],
  ],
  [
    'ApplyPromoCodeRefusedCalls',
    [
      [
        'a new version has a wrong userIdClaim',
        { refused: [9, 8], calls: [9, 8], refusedByAny: [10, 8], callsOfAny: [90, 80] },
      ],
    ],
    [
      [
        'both versions refuse the customers of a client with a wrong item',
        { refused: [9, 9], calls: [30, 30], refusedByAny: [90, 90], callsOfAny: [300, 300] },
      ],
      ['chance gives it four refusals', { refused: [4, 4], calls: [4, 4], callsOfAny: [40, 40] }],
      [
        'chance gives it more in a minute',
        { refused: [0, 5], calls: [9, 9], refusedByAny: [3, 5], callsOfAny: [90, 90] },
      ],
      [
        'it gets all calls, and there is none to compare with',
        { refused: [9, 9], calls: [9, 9], refusedByAny: [9, 9], callsOfAny: [9, 9] },
      ],
    ],
  ],
  [
    'ApplyPromoCodeRefusals',
    [
      ['a wrong userIdClaim refuses nearly every user', { part: [46], whole: [50] }],
      ['an App-Id was removed that apps of a client still use', { part: [16], whole: [50] }],
    ],
    [
      ['guests and apps with a fault are few', { part: [30], whole: [100] }],
      ['there are few users', { part: [49], whole: [49] }],
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
    [
      ['three of 59 calls fail as apps see them', { part: [3], whole: [59] }],
      ['Lambda refuses eleven of 200 calls', { part: [11], whole: [200] }],
    ],
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
        'rate limits refuse a flood',
        { refused: [9e3, 9e3, 9e3], blocked1: [9e3, 9e3, 9e3], whole: [9500, 9500, 9500] },
      ],
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
    [['a hundred calls succeeded in the hour before', { ok0: [60, __], ok1: [40, __] }]],
    [
      ['few succeeded in the hour before', { ok0: [99, __] }],
      ['a tenth of the calls is left', { ok0: [1000, 100] }],
      ['there has been no call for two hours', { ok0: [__, __] }],
    ],
  ],
  [
    'ClientLockedOut',
    [
      ['one call of a locked client is refused', { service1: [1] }],
      ['apps of the client call once in three hours', { service0: [1, ...quiet(35)] }],
    ],
    [
      ['no call was', { service0: [0], service1: [__] }],
      ['no call was refused for three hours', { service0: [1, ...quiet(36)] }],
    ],
  ],
  [
    'ConfigurationBroken',
    [['one response in three hours lacks a field', { [METRIC]: [1, ...quiet(35)] }]],
    [['the configuration was corrected three hours ago', { [METRIC]: [4, ...quiet(36)] }]],
  ],
  [
    'StaleClients',
    [['for ten minutes old copies are served', { service0: [5, 5] }]],
    [['a single read failed', { service0: [__, 1] }]],
  ],
  [
    'PromoEventsWaiting',
    [
      ['the trigger of the function is off', { age: [301, 600, 900] }],
      [
        'for 15 minutes events could not be stored, and the age leaves them out',
        { errors: [3, __, 2], crashes: [__, 1, __], invocations: [3, 1, 2] },
      ],
    ],
    [
      [
        'a healthy function works off a long queue',
        { age: [900, 900, 900], invocations: [9, 9, 9] },
      ],
      ['the table throttles for ten minutes', { errors: [__, 30, 10], invocations: [4, 30, 10] }],
      [
        'the invocations of the newest minutes are not published yet',
        { age: [600, 900, 1200], invocations: [4, 4, __] },
      ],
      ['messages are young', { age: [299, 300, 300] }],
    ],
  ],
  [
    'PromoEventsDead',
    [
      ['a dead letter arrives in an idle queue', { visible: [__, 1] }],
      ['another one arrives while somebody looks', { visible: [1, 1], inFlight: [0, 1] }],
      ['one arrived a quarter of an hour ago', { visible: [0, ...Array(15).fill(1)] }],
      ['some are still there at 08:00', { visible: [1, 1], HOUR: [7, 8], MINUTE: [59, 0] }],
    ],
    [
      ['somebody looks at one', { visible: [1, 0], inFlight: [0, 1] }],
      ['none has arrived since: the next one turns it on', { visible: Array(16).fill(1) }],
      ['they were moved', { visible: [3, 0] }],
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
    'BusBehind',
    [
      ['for 15 minutes events are stored and none is published', { applied: [5, 5, 5] }],
      ['the trigger of the function is off', { appliedLater: [1, 2, 1], published: [__, __, __] }],
      [
        'the function publishes events that are older than 15 minutes',
        { applied: [5, 5, 5], published: [9, 9, 9], age: [900_001, 1_000_000, 1_200_000] },
      ],
      ['it only retries old ones', { age: [900_001, 1_200_000, 1_500_000] }],
      [
        'the trigger is off, and a code is stored every three hours',
        { applied: [1, ...quiet(35), 1, ...quiet(34), 1] },
      ],
    ],
    [
      ['they are published within ten minutes', { applied: [5, 5, 5], published: [15, __, __] }],
      ['it is late for ten minutes', { published: [9, 9, 9], age: [__, 1_000_000, 1_200_000] }],
      ['two requests are sent again in six hours', { applied: [1, ...quiet(70), 1] }],
      [
        'a code is stored every hour, and its event published in the next five minutes once',
        { applied: [1, ...quiet(11), 1, __], published: [__, 1, ...quiet(10), 1, __] },
      ],
      ['it published what was late six hours ago', { age: [9e5, 9e5, 9e5, 9e5, ...quiet(72)] }],
    ],
  ],
  [
    'BusDead',
    [['the bus refused an event without a kind', { visible: [0, 1] }]],
    [['SQS moves it', { visible: [1, 0] }]],
  ],
  [
    'GuaranteeBroken',
    [
      ['an item was changed', { [METRIC]: [1] }],
      ['its record is delivered again within three hours', { [METRIC]: [1, ...quiet(34), 1] }],
    ],
    [['there was a change three hours ago', { [METRIC]: [1, ...quiet(36)] }]],
  ],
  [
    'ClientHarmed',
    [['a manual edit locked a client out', { [METRIC]: [1] }]],
    [['no edit harmed a client', { [METRIC]: [__] }]],
  ],
  [
    'BackgroundErrors',
    [
      ['a function crashes three times in five minutes', { crashes1: [3] }],
      ['all of them do not start', { crashes0: [1], crashes1: [1], crashes3: [1] }],
      ['Lambda refuses eleven calls of the check', { throttles3: [11] }],
    ],
    [['one crashes twice, and Lambda refuses a few calls', { crashes2: [2], throttles0: [10] }]],
  ],
  [
    'PromoEventsQueued',
    [['the table did not store five events in time', { [METRIC]: [5] }]],
    [['it did not store four', { [METRIC]: [4] }]],
  ],
  [
    'VersionsLate',
    [
      [
        'the function retries a change that has waited for more than five minutes',
        { age: [299_000, 900_000], invocations: [9, 9] },
      ],
      [
        'it retries one, while others are recorded',
        { updates: [3, 4], age: [900_000, 900_000], invocations: [9, 9] },
      ],
      ['a client was changed, and the trigger of the function is off', { updates: [1, __] }],
      ['its item was put by hand three hours ago', { puts: [1, ...quiet(11)] }],
      ['the function last ran before', { deletes: [__, 2, __], invocations: [3, __, __] }],
    ],
    [
      [
        'a change waits for five minutes',
        { updates: [1, 1], age: [100, 300_000], invocations: [1, 1] },
      ],
      ['the function ran', { updates: [1, __], invocations: [1, __], age: [900, __] }],
      ['the function is still running', { updates: [40, __], invocations: [__, 1] }],
      ['a client was changed a moment ago', { updates: [__, 1] }],
    ],
  ],
  [
    'VersionsMissing',
    [
      ['a change was given up', { visible: [__, 1] }],
      ['a change was skipped', { skipped: [__, 1], visible: [0, 0] }],
    ],
    [
      ['its message expired after a day', { visible: [1, 0] }],
      ['one was skipped before', { skipped: [1, ...quiet(15)], visible: Array(16).fill(0) }],
    ],
  ],
  [
    'CertificateExpires',
    [['a certificate was not renewed', { days: [29] }]],
    [['it is renewed in time', { days: [30] }]],
  ],
];

test('every alarm is here: of those that each function has, at least one', () => {
  const functions = [
    ...OPERATIONS.map(functionName),
    storeQueuedPromoEvents.name,
    publishPromoEvents.name,
    recordConfigurationVersions.name,
    checkPromoEvents.name,
  ].join('|');
  const owner = new RegExp(`^(${functions})`);
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

/** A flood of forged tokens, in periods in which each function answers 20 calls of users. */
const FLOOD: Readonly<Record<string, number>> = {
  Responses: 9020,
  ClientErrors: 9000,
  SignedCall: 20,
  Invocations: 9020,
  Count: 38_040,
  '4XXError': 38_000,
  BlockedRequests: 10_000,
};

test('the heartbeat pages if its calls end, but not before the first one', () => {
  const silent = [...alarms].flatMap(([name, alarm]) =>
    stateOf(alarm, { ...(alarm.Metrics ? {} : { [METRIC]: [__] }) }) === 'OK' ? [] : [name],
  );
  expect(silent).toEqual(['Heartbeat']);
  // Actions follow a change of the state, and this is the state of a new alarm.
  const actions = [...alarms].flatMap(([name, { InsufficientDataActions }]) =>
    InsufficientDataActions ? [[name, InsufficientDataActions]] : [],
  );
  expect(actions).toEqual(silent.map((name) => [name, composite.AlarmActions]));
});

/** The alarms that are reasons for the one that pages. */
function reasonsToPage(): [name: string, AlarmProperties][] {
  const rule = JSON.stringify(composite);
  const ids = Object.entries(template.findResources('AWS::CloudWatch::Alarm'));
  return ids.flatMap(([id, { Properties }]) =>
    rule.includes(id) ? [[shortName(Properties.AlarmName), Properties]] : [],
  );
}

test('each reason to page ends within 15 minutes after the outage, or it would hide the next one', () => {
  const reasons = reasonsToPage();
  expect(reasons.length).toBeGreaterThan(6);
  for (const [id, { EvaluationPeriods, Period, Metrics = [] }] of reasons) {
    const periods = Metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? []);
    const seconds = EvaluationPeriods * Math.max(Period ?? 0, ...periods);
    expect(seconds, id).toBeGreaterThan(0);
    expect(seconds, id).toBeLessThanOrEqual(15 * 60);
  }
});

test('a flood of forged tokens neither pages nor rolls back', () => {
  const deciding = [
    ...reasonsToPage(),
    ...[...alarms].filter(
      ([name, { AlarmActions }]) =>
        JSON.stringify(AlarmActions)?.includes('RecipientsPage') ||
        /(?:Failed|Refused)Calls$/.test(name),
    ),
  ];
  expect(deciding.length).toBeGreaterThan(10);
  for (const [id, alarm] of deciding) {
    const measured: Record<string, Series> = {};
    const metrics = alarm.Metrics ?? [{ Id: METRIC, MetricStat: { Metric: alarm } }];
    for (const { Id, MetricStat } of metrics) {
      if (!MetricStat) continue;
      const { MetricName = '', Dimensions } = MetricStat.Metric;
      const isOfUsers = JSON.stringify(Dimensions).includes('"OK"');
      measured[Id] = Array.from({ length: 5 }, () => (isOfUsers ? 20 : FLOOD[MetricName]));
    }
    expect(isOn(alarm, measured), id).toBe(false);
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
