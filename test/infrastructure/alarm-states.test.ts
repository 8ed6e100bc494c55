import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import {
  checkPromoEvents,
  publishPromoEvents,
  recordConfigurationVersions,
  storeQueuedPromoEvents,
} from '../../functions/background-functions.ts';
import { functionName } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { shortName } from '../support/alarm-name.ts';
import { PROJECT } from '../support/documents/document.ts';
import {
  type AlarmProperties,
  isOn,
  METRIC,
  type Series,
  stateOf,
} from '../support/metric-math.ts';
import { templateFor } from '../support/stack.ts';
import { type Fault, type Outcome, SteadyTraffic } from '../support/steady-traffic.ts';
import { EVERY_ALARM } from './variants.ts';

/*
 * When each alarm is on, computed from its template and from what CloudWatch would have measured.
 * test/integration/api/metrics shows that the functions count these metrics.
 */

const alarmRecipients = { page: ['page@example.com'], inform: ['inform@example.com'] };
const template = templateFor({ ...EVERY_ALARM, alarmRecipients });
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
      ['an App-Id was removed that apps of a client still use', { part: [20], whole: [60] }],
    ],
    [
      ['guests and apps with a fault are few', { part: [30], whole: [100] }],
      ['few customers are refused', { part: [19], whole: [19] }],
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
    'CallsLost',
    [
      ['20 calls of one operation are refused', { ok0: [900], refused1: [20], ok1: [1] }],
      ['they are refused, fail and crash', { refused1: [5], errors1: [8], crashes1: [7] }],
    ],
    [
      ['a tenth as many succeed', { refused0: [20], ok0: [2] }],
      ['there are few', { refused1: [19] }],
      ['few of each are', { refused0: [10], errors1: [10] }],
    ],
  ],
  [
    'CallsLostSlowly',
    [
      ['20 customers are refused', { ok0: [450, 450], refused1: [__, 20], ok1: [50, 1] }],
      ['a rule blocks most codes', { ok0: [450, 450], ok1: [50, 4], refused: [__, 46] }],
    ],
    [
      ['a tenth of the codes is applied', { refused1: [45, 45], ok1: [5, 5] }],
      ['it is night', { ok0: [450, 30], ok1: [50, 3], refused: [10, 20] }],
    ],
  ],
  [
    'CallsBlocked',
    [['calls are refused, and successes end', { ok0: [22, 2], refused: [5, 10] }]],
    [
      ['a tenth succeeds', { ok0: [30, 3], refused: [5, 27] }],
      ['few calls succeeded before', { ok0: [21, 2], refused: [5, 90] }],
      ['few are refused', { ok0: [900, __], refused: [100, 449] }],
      ['the one before was the first', { ok0: [__, 90], refused: [__, 400] }],
    ],
  ],
  [
    'RateLimited',
    [['for 15 minutes they block most calls', { blocked1: [60, 60, 60], whole: [110, 110, 110] }]],
    [
      ['it is over', { blocked0: [9e3, 9e3, 40], whole: [1e4, 1e4, 1e3] }],
      ['there are few calls', { blocked0: [49, 49, 49], whole: [49, 49, 49] }],
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
      ['two codes are stored in six hours', { applied: [1, ...quiet(70), 1] }],
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
  expect(actions).toEqual(silent.map((name) => [name, alarms.get(name)?.AlarmActions]));
});

const pages = ({ AlarmActions }: AlarmProperties) =>
  JSON.stringify(AlarmActions)?.includes('RecipientsPage') ?? false;

test('a flood of forged tokens neither pages nor rolls back', () => {
  const deciding = [...alarms].filter(
    ([name, alarm]) => pages(alarm) || /(?:Failed|Refused)Calls$/.test(name),
  );
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

/** Faults that refuse customers or lose codes, by what is seen of them. */
const FAULTS: Readonly<Record<string, (operation: string) => Outcome>> = {
  'a wrong `userIdClaim`: 403 for each code': (operation) => onlyCodes(operation, 'refused'),
  'an App-Id in use is revoked: 401': () => 'refused',
  '`promoCode/apply` answers 503, or crashes': (operation) => onlyCodes(operation, 'failed'),
  'no function gets the signing keys: 503': () => 'failed',
  'a managed rule of the web ACL: 403': () => 'blocked',
  'the same, for codes only': (operation) => onlyCodes(operation, 'blocked'),
  'rate limits of the web ACL: 429': () => 'limited',
};
const onlyCodes = (operation: string, outcome: Outcome): Outcome =>
  operation === applyPromoCode.folder ? outcome : 'served';
const SIZES = [1_000_000, 100_000, 20_000, 10_000, 1000];

const serving = [...alarms.values()].filter(
  (alarm) => alarm.AlarmActions && SteadyTraffic.measures(alarm),
);

/** Finds when alarms that page, or inform, first notify: the minutes since the fault began. */
function firstMinute(traffic: SteadyTraffic, notifying: readonly AlarmProperties[]) {
  const off = notifying.filter((alarm) => !traffic.isOn(alarm, 0));
  for (let minutes = 5; minutes <= 12 * 60; minutes += 5) {
    if (off.some((alarm) => traffic.isOn(alarm, minutes))) return minutes;
  }
  return Number.POSITIVE_INFINITY;
}

const timeOf = (minutes: number) =>
  minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;

/** Says whether a fault pages and when, and whether something informs before. */
function heard(traffic: SteadyTraffic): string {
  const page = firstMinute(traffic, serving.filter(pages));
  const inform = firstMinute(
    traffic,
    serving.filter((alarm) => !pages(alarm)),
  );
  return [
    ...(inform < page ? [`inform ${timeOf(inform)}`] : []),
    ...(page < Number.POSITIVE_INFINITY ? [`**page ${timeOf(page)}**`] : []),
  ].join(', ');
}

test('guarantees.md says when a loss of 95 % is heard, at each size', async () => {
  const rows = Object.entries(FAULTS).map(([name, outcomeOf]) => [
    name,
    ...SIZES.map((size) => {
      expect(heard(new SteadyTraffic(size, outcomeOf)), `all of ${size}`).not.toBe('');
      // Slower than a loss of all, which ends the successes.
      const traffic = new SteadyTraffic(size, (operation, n) =>
        n % 20 > 0 ? outcomeOf(operation) : 'served',
      );
      return heard(traffic);
    }),
  ]);
  for (const cells of rows) expect(cells.filter((cell) => cell === '')).toEqual([]);
  const header = ['fault', ...SIZES.map((size) => `${size.toLocaleString('en')} a day`)];
  const table = [header, header.map((_, n) => (n > 0 ? '---:' : '---')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
  const file = fileURLToPath(new URL('docs/guarantees.md', PROJECT));
  const text = await readFile(file, 'utf8');
  const written = text.replace(/\| fault \|(?:.*\n)+?(?=\n)/, `${table}\n`);
  expect(written).toContain(table);
  await expect(written).toMatchFileSnapshot(file);
});

test.each(Object.keys(FAULTS))(
  '%s pages or informs while an old app is refused for weeks',
  (name) => {
    const old: Fault = (_, n) => (n % 5 < 2 ? 'refused' : 'served');
    for (const size of [100_000, 1000]) {
      const traffic = new SteadyTraffic(
        size,
        (operation) => FAULTS[name]?.(operation) ?? 'served',
        old,
      );
      expect(heard(traffic), String(size)).not.toBe('');
    }
  },
);

describe.each(STATES)('%s', (name, on, off) => {
  const alarm = alarms.get(name) ?? { Threshold: Number.NaN, EvaluationPeriods: 0 };

  test.each(on)('is on if %s', (_, measured) => {
    expect(isOn(alarm, measured)).toBe(true);
  });

  test.each(off)('is off if %s', (_, measured) => {
    expect(isOn(alarm, measured)).toBe(false);
  });
});
