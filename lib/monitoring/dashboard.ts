import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { Alarm, AlarmStatusWidget, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import {
  type CustomMetricGroup,
  DefaultDashboardFactory,
  GraphWidgetType,
  MonitoringFacade,
} from 'cdk-monitoring-constructs';
import { Construct } from 'constructs';
import { type CountMetric, OK } from '../../core/runtime/metrics.ts';
import * as errors from '../../functions/http/errors.ts';
import { API_METRICS } from '../../functions/http/operation.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { ageOfRecords, countOf } from '../alarms/metrics.ts';
import type { Monitored } from '../alarms/monitored.ts';

const PERIOD = Duration.minutes(5);

/** The error codes of the functions' responses. */
const ERROR_CODES = [
  new errors.UnauthorizedError(),
  new errors.TokenExpiredError(),
  new errors.ValidationError([{ message: '' }]),
  new errors.ForbiddenError(),
  new errors.PayloadTooLargeError(''),
  new errors.ServiceUnavailableError(),
  new errors.InternalServerError(),
].map(({ code }) => code);

/** The dashboard of a stage. It answers the questions of those on call, the most urgent first. */
export class StageDashboard extends Construct {
  /** @param alarmNames in display order. */
  constructor(scope: Construct, id: string, monitored: Monitored, alarmNames: readonly string[]) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    const facade = new MonitoringFacade(this, 'Facade', {
      metricFactoryDefaults: {},
      alarmFactoryDefaults: { alarmNamePrefix: stackName, actionsEnabled: false },
      dashboardFactory: new DefaultDashboardFactory(this, 'Factory', {
        dashboardNamePrefix: stackName,
        detailDashboardRange: Duration.hours(12),
      }),
    });
    facade.addWidget(this.#alarmStatus(alarmNames));
    for (const [question, metricGroups] of Object.entries(graphs(monitored))) {
      facade.monitorCustom({
        alarmFriendlyName: question,
        humanReadableName: question,
        metricGroups,
      });
    }
  }

  /** Refers to alarms by name, so that the dashboard does not prevent replacing one. */
  #alarmStatus(names: readonly string[]): AlarmStatusWidget {
    const arnOf = (resourceName: string) =>
      Stack.of(this).formatArn({
        service: 'cloudwatch',
        resource: 'alarm',
        resourceName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      });
    return new AlarmStatusWidget({
      title: 'Alarms',
      alarms: names.map((name) => Alarm.fromAlarmArn(this, name, arnOf(name))),
      width: 24,
      height: 5,
    });
  }
}

/** Returns the graphs that answer each question. */
function graphs(monitored: Monitored): Record<string, CustomMetricGroup[]> {
  const { stage, api, webAcl, tables, operations } = monitored;
  const { consumer, publisher, recorder, checker, history, bus } = monitored;
  const { queue, deadLetterQueue } = monitored.queue;
  const count = (
    metric: CountMetric,
    of: { readonly folder: string },
    label: string,
    code?: string,
  ): Metric => countOf(metric, stage, of, { period: PERIOD, label, ...(code && { code }) });
  /** Returns a metric of each operation that counts it. */
  const countAll = (metric: CountMetric, what?: string, code?: string): Metric[] =>
    operations
      .filter(({ folder }) => {
        const { metrics = [] } = OPERATIONS.find((one) => one.folder === folder) ?? {};
        return API_METRICS.includes(metric) || metrics.includes(metric);
      })
      .map((lambda) => count(metric, lambda, [lambda.node.id, what ?? []].flat().join(': '), code));
  const inQueue = (one: IQueue, label: string): Metric =>
    one.metricApproximateNumberOfMessagesVisible({ period: PERIOD, label });
  const graph = (
    title: string,
    metrics: Metric[],
    graphWidgetType = GraphWidgetType.LINE,
  ): CustomMetricGroup => ({
    title,
    metrics,
    graphWidgetType,
  });
  return {
    'Are apps being served?': [
      graph('Successful calls', countAll('Responses', undefined, OK)),
      graph('Calls that fail', [
        ...countAll('ServerErrors'),
        api.metricServerError({ period: PERIOD, statistic: 'Sum', label: 'as apps see them' }),
      ]),
      graph('Time of 99 in 100 calls, ms', [
        ...operations.map((lambda) =>
          lambda.metricDuration({ period: PERIOD, statistic: 'p99', label: lambda.node.id }),
        ),
        api.metricLatency({ period: PERIOD, statistic: 'p99', label: 'as apps see it' }),
      ]),
      graph('Concurrent executions', [
        ...[...operations, consumer].map((lambda) =>
          lambda.metric('ConcurrentExecutions', {
            period: PERIOD,
            statistic: 'Maximum',
            label: lambda.node.id,
          }),
        ),
        concurrencyOfAccount(),
      ]),
    ],
    'Is anyone refused, and why?': [
      ...operations.map((lambda) =>
        graph(
          `${lambda.node.id}: responses by code, without ${OK}`,
          ERROR_CODES.map((code) => count('Responses', lambda, code, code)),
          GraphWidgetType.STACKED_AREA,
        ),
      ),
      graph('Rejected by the gateway or a function', [
        api.metricClientError({ period: PERIOD, statistic: 'Sum', label: '4xx' }),
      ]),
      ...(webAcl
        ? [
            graph(
              'Blocked by the web ACL',
              [...webAcl.blocked].map(([label, rule]) => rule.with({ period: PERIOD, label })),
            ),
          ]
        : []),
    ],
    'Is anything waiting or lost?': [
      graph('Promo events', [
        ...countAll('PromoEventApplied', 'applied'),
        ...countAll('PromoEventRepeated', 'repeated'),
        ...countAll('PromoEventQueued', 'queued'),
        count('PromoEventApplied', consumer, 'applied from the queue'),
        count('PromoEventRepeated', consumer, 'repeated from the queue'),
        count('ServerErrors', consumer, 'failed from the queue'),
      ]),
      graph('Messages', [
        inQueue(queue, 'waiting'),
        queue.metricApproximateNumberOfMessagesNotVisible({ period: PERIOD, label: 'in flight' }),
        inQueue(deadLetterQueue, 'dead letters'),
        inQueue(bus.deadLetterQueue, 'dead letters of the event bus'),
        inQueue(history.deadLetterQueue, 'dead letters of the history'),
      ]),
      graph('Oldest message, s', [
        queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, label: 'age' }),
      ]),
      graph('Throttled by DynamoDB', [
        tableMetric('ReadThrottleEvents', tables.configs, 'reads of clients'),
        tableMetric('WriteThrottleEvents', tables.promoEvents, 'writes of promo events'),
      ]),
      graph(
        'Oldest stream record, ms',
        [publisher, recorder, ...(checker ? [checker] : [])].map((lambda) =>
          ageOfRecords(lambda, lambda.node.id),
        ),
      ),
      graph('To the event bus', [
        count('PromoEventPublished', publisher, 'published'),
        count('ServerErrors', publisher, 'failed'),
      ]),
    ],
    'Is a configuration broken?': [
      graph('Fields left out of responses', countAll('FieldsLeftOut')),
      graph('Refused: the client is locked out', countAll('ClientLockedOut')),
      graph('Served from an old copy', countAll('LastGoodConfigServed')),
      graph('Manual edits', [
        count('ManualEdit', recorder, 'all'),
        count('ClientHarmed', recorder, 'harmed a client'),
      ]),
    ],
  };
}

function tableMetric(
  metricName: string,
  { tableName }: Pick<ITableV2, 'tableName'>,
  label: string,
): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName },
    statistic: 'Sum',
    label,
  });
}

/**
 * Returns the concurrent executions of all functions of the account.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Quotas-Visualize-Alarms.html
 */
function concurrencyOfAccount(): Metric {
  return new Metric({
    namespace: 'AWS/Usage',
    metricName: 'ResourceCount',
    dimensionsMap: {
      Service: 'Lambda',
      Type: 'Resource',
      Resource: 'ConcurrentExecutions',
      Class: 'None',
    },
    period: PERIOD,
    statistic: 'Maximum',
    label: 'all of the account',
  });
}
