import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { nameOf } from '../../functions/api/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { QUEUE_FUNCTION, RECORDING_FUNCTION } from '../../lib/function-names.ts';
import { metricsOf, widgetsOf } from '../support/dashboard/body.ts';
import { frameOf } from '../support/dashboard/frame.ts';
import { PROJECT } from '../support/documents/document.ts';
import { evaluate } from '../support/metric-math.ts';
import { templateFor } from '../support/stack.ts';
import { faultOf, statisticOf, titleOf } from '../support/used-metrics.ts';

const template = templateFor();
const widgets = widgetsOf(template.findResources('AWS::CloudWatch::Dashboard'));
const QUESTIONS = [
  'Are apps being served?',
  'Is anyone refused, and why?',
  'Is anything waiting or lost?',
  'Is a configuration broken?',
  'What does it cost?',
];

test('has the name of the stack, and shows the last twelve hours', () => {
  const [dashboard, ...others] = Object.values(
    template.findResources('AWS::CloudWatch::Dashboard'),
  );
  expect(others).toEqual([]);
  expect(dashboard?.Properties.DashboardName).toBe('CustomerDataApi-test');
  expect(dashboard?.Properties.DashboardBody['Fn::Join'][1][0]).toContain('"start":"-PT12H"');
});

test('answers its questions from top to bottom, each with graphs', () => {
  const headings = widgets.filter(({ type }) => type === 'text').sort((one, two) => one.y - two.y);
  expect(headings.map(({ properties }) => properties.markdown?.replace(/^#+ /, ''))).toEqual(
    QUESTIONS,
  );
  const starts = [...headings.map(({ y }) => y), Number.POSITIVE_INFINITY];
  for (const [index, start] of starts.slice(0, -1).entries()) {
    const end = starts[index + 1] ?? 0;
    const graphs = widgets.filter(({ type, y }) => type === 'metric' && y > start && y < end);
    expect(graphs.length, QUESTIONS[index]).toBeGreaterThan(1);
  }
});

test('shows the state of every alarm first', () => {
  const [first] = widgets;
  const alarms = ['Alarm', 'CompositeAlarm'].flatMap((type) =>
    Object.values(template.findResources(`AWS::CloudWatch::${type}`)),
  );
  const prefix = 'arn:AWS::Partition:cloudwatch:AWS::Region:AWS::AccountId:alarm:';
  const shown = first?.properties.alarms ?? [];
  expect(shown.toSorted()).toEqual(
    alarms.map(({ Properties }) => `${prefix}${Properties.AlarmName}`).sort(),
  );
  expect(shown[0]).toBe(`${prefix}CustomerDataApi-test-AppsNotServed`);
});

test('uses metrics that the functions count or AWS publishes, with their dimensions', () => {
  for (const widget of widgets.filter(({ type }) => type === 'metric')) {
    const metrics = metricsOf(widget);
    expect(metrics.length, widget.properties.title).toBeGreaterThan(0);
    for (const metric of metrics) expect(faultOf(metric, 'test')).toBe(undefined);
  }
});

/** What the functions answer besides `OK`. */
const CODES = [
  'Unauthorized',
  'NotAuthorizedException',
  'ValidationException',
  'ForbiddenException',
  'PayloadTooLargeException',
  'ServiceUnavailableException',
  'InternalServerError',
];
/** A line of each operation, under its name. */
const lines = (metricOf: (operation: { name: string; folder: string }) => string) =>
  OPERATIONS.map((operation) => {
    const name = nameOf(operation);
    return `${name}: ${metricOf({ name, folder: operation.folder })}`;
  });
const visible = (queue: string) => `ApproximateNumberOfMessagesVisible ${queue}`;

test('shows in each graph what its labels say', () => {
  const graphs = widgets
    .filter(
      ({ type, properties }) => type === 'metric' && !properties.title?.includes('US dollars'),
    )
    .map((widget) => [
      widget.properties.title,
      metricsOf(widget).map((metric) => `${metric.options.label}: ${titleOf(metric)}`),
    ]);
  expect(Object.fromEntries(graphs)).toEqual({
    'Successful calls': lines(({ folder }) => `Responses ${folder} OK`),
    'Calls that fail': [
      ...lines(({ folder }) => `ServerErrors ${folder}`),
      'as apps see them: 5XXError',
    ],
    'Time of nine in ten calls, ms': [
      ...lines(({ name }) => `Duration ${name}`),
      'as apps see it: Latency',
    ],
    'Concurrent executions': [
      ...lines(({ name }) => `ConcurrentExecutions ${name}`),
      `${QUEUE_FUNCTION}: ConcurrentExecutions ${QUEUE_FUNCTION}`,
    ],
    ...Object.fromEntries(
      OPERATIONS.map((operation) => [
        `${nameOf(operation)}: responses by code, without OK`,
        CODES.map((code) => `${code}: Responses ${operation.folder} ${code}`),
      ]),
    ),
    'Token of another user': ['promo codes lost: UserBindingRefused apply-promo-code'],
    'Rejected by the gateway or a function': ['4xx: 4XXError'],
    'Promo events': [
      'applied: PromoEventApplied apply-promo-code',
      'repeated: PromoEventRepeated apply-promo-code',
      'queued: PromoEventQueued apply-promo-code',
      'applied from the queue: PromoEventApplied store-queued-promo-events',
      'repeated from the queue: PromoEventRepeated store-queued-promo-events',
      'failed from the queue: ServerErrors store-queued-promo-events',
    ],
    Messages: [
      `waiting: ${visible('PromoEventsQueue')}`,
      'in flight: ApproximateNumberOfMessagesNotVisible PromoEventsQueue',
      `dead letters: ${visible('PromoEventsQueueDeadLetterQueue')}`,
      `dead letters of the pipe: ${visible('PromoEventsBusDeadLetterQueue')}`,
      `dead letters of the history: ${visible('ConfigurationHistoryDeadLetterQueue')}`,
    ],
    'Oldest message, s': ['age: ApproximateAgeOfOldestMessage PromoEventsQueue'],
    'Pipe to the event bus': [
      'sent: EventCount PromoEventsBusPipe',
      'failed: ExecutionFailed PromoEventsBusPipe',
      'throttled: ExecutionThrottled PromoEventsBusPipe',
    ],
    'Fields left out of responses': ['fields: FieldsLeftOut get-config'],
    'Refused: the client admits nobody': lines(({ folder }) => `ClientLockedOut ${folder}`),
    'Served from an old copy': lines(({ folder }) => `LastGoodConfigServed ${folder}`),
    'Changes that bypassed the tools': [
      'all: ChangedOutside record-configuration-versions',
      'harmed a client: HarmedOutside record-configuration-versions',
    ],
    'Calls an hour': ['calls: Count'],
  });
});

test('stacks what adds up: the codes of refusals, and costs', () => {
  const stacked = widgets.filter(({ properties }) => properties.stacked);
  expect(stacked.map(({ properties }) => properties.title)).toEqual([
    ...OPERATIONS.map((operation) => `${nameOf(operation)}: responses by code, without OK`),
    expect.stringContaining('US dollars'),
  ]);
});

const rounded = (dollars = Number.NaN) => Number(dollars.toFixed(6));

test.each([1024, 2048])('a million calls cost what AWS charges; functions have %i MB', (memory) => {
  const [costs] = widgetsOf(
    templateFor({ memoryMegabytes: memory }).findResources('AWS::CloudWatch::Dashboard'),
  ).filter(({ properties }) => properties.title?.includes('US dollars'));
  const rows = costs?.properties.metrics?.flat() ?? [];
  const metrics = costs ? metricsOf(costs) : [];
  const dollars = rows.flatMap((row) => {
    if (typeof row === 'string' || !row.expression) return [];
    const ids: string[] = row.expression.match(/[a-z]\w*/g) ?? [];
    const used = metrics.filter(({ options: { id = '' } }) => ids.includes(id));
    const values = used.map(({ name, options: { id = '' } }) => [
      id,
      // A call takes 100 ms.
      [name === 'Duration' ? 100_000_000 : 1_000_000],
    ]);
    const [cost] = evaluate(row.expression, Object.fromEntries(values));
    return [[`${row.label}: ${used.map(titleOf).join(', ')}`, rounded(cost)]];
  });
  const functions = [...OPERATIONS.map(nameOf), QUEUE_FUNCTION, RECORDING_FUNCTION];
  expect(Object.fromEntries(dollars)).toEqual({
    'API Gateway: Count': 3.5,
    ...Object.fromEntries(
      functions.map((name) => [
        `Lambda ${name}: Duration ${name}, Invocations ${name}`,
        rounded(0.2 + (1.33334 * memory) / 1024),
      ]),
    ),
    'DynamoDB reads: ConsumedReadCapacityUnits TablesConfigs': 0.125,
    'DynamoDB writes: ConsumedWriteCapacityUnits TablesPromoEvents': 0.625,
  });
});

test('adds up what is counted and takes the worst value of what is measured, in five minutes, or in the hour of the costs', () => {
  for (const widget of widgets.filter(({ type }) => type === 'metric')) {
    const { title = '' } = widget.properties;
    const isCost = title.includes('an hour');
    for (const { name, options } of metricsOf(widget)) {
      // Lambda bills all durations.
      const stat = isCost && name === 'Duration' ? 'Sum' : statisticOf(name);
      expect(options.stat, `${name} of ${title}`).toBe(stat);
      expect(options.period, `${name} of ${title}`).toBe(isCost ? 3600 : undefined);
    }
  }
});

test('the picture in the documents shows all of its widgets', async () => {
  const picture = await readFile(new URL('docs/dashboard.svg', PROJECT), 'utf8');
  const text = picture.replaceAll('&amp;', '&');
  for (const widget of widgets) {
    const { type, properties } = widget;
    const title = type === 'text' ? properties.markdown?.replace(/^#+ /, '') : properties.title;
    expect(text, title).toContain(`>${title}<`);
    expect(picture, title).toContain(frameOf(widget));
    const labels = (properties.metrics ?? []).flatMap((row) => {
      const options = row.at(-1);
      return typeof options === 'object' && options.visible !== false ? (options.label ?? []) : [];
    });
    for (const label of labels) expect(text, `${title}: ${label}`).toContain(`>${label}<`);
  }
  const alarms = widgets.flatMap(({ properties }) => properties.alarms ?? []);
  const shown = [...picture.matchAll(/font-size="9\.5">(\w+)</g)].map(([, name]) => name);
  expect(shown).toEqual(alarms.map((arn) => arn.replace(/.*-/, '')));
  const graphs = widgets.filter(({ type }) => type === 'metric').length;
  expect(picture.match(/class="graph"/g)).toHaveLength(graphs);
});
