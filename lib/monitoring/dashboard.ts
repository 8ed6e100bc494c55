import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  type IMetric,
  MathExpression,
  Metric,
} from 'aws-cdk-lib/aws-cloudwatch';
import {
  type CustomMetricGroup,
  DefaultDashboardFactory,
  GraphWidgetType,
  MonitoringFacade,
} from 'cdk-monitoring-constructs';
import { Construct } from 'constructs';
import { type CountMetric, OK } from '../../core/runtime/metrics.ts';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import * as errors from '../../functions/http/errors.ts';
import type { Monitored } from '../alarms/alarms.ts';
import { countOf } from '../alarms/metrics.ts';
import { pipeMetric } from '../alarms/promo-events.ts';

const PERIOD = Duration.minutes(5);
const HOUR = Duration.hours(1);

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

/** List prices of us-east-1, US dollars per million, 2026-11-21. https://aws.amazon.com/pricing/ */
const PRICES = {
  gatewayRequest: 3.5,
  functionRequest: 0.2,
  functionGigabyteSecond: 13.3334,
  readUnit: 0.125,
  writeUnit: 0.625,
};

/** A question, answered by a row of graphs. */
interface Question {
  readonly question: string;
  readonly graphs: readonly CustomMetricGroup[];
}

/** The monitored parts of the stack and the names of its alarms. */
export interface DashboardProps extends Monitored {
  /** Alarm names in display order. */
  readonly alarmNames: readonly string[];
}

/** The dashboard of a stage. It answers the questions of those on call, the most urgent first. */
export class StageDashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
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
    facade.addWidget(this.#alarmStatus(props.alarmNames));
    for (const { question, graphs } of questions(props)) {
      facade.monitorCustom({
        alarmFriendlyName: question,
        humanReadableName: question,
        metricGroups: [...graphs],
      });
    }
  }

  /** By name and not by reference, so that the dashboard does not prevent replacing an alarm. */
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

function questions(props: Monitored): Question[] {
  const { settings, stageName: stage, api, operations, promoEventsQueue, tables, pipe } = props;
  const { recorder, deadLetterQueue: lostVersions } = props.configurationHistory;
  const { queue, deadLetterQueue, consumer } = promoEventsQueue;
  const count = (metric: CountMetric, service: string, label: string, code?: string): Metric =>
    countOf(metric, { service, stage, period: PERIOD, label, ...(code && { code }) });
  const graph = (
    title: string,
    metrics: readonly IMetric[],
    graphWidgetType = GraphWidgetType.LINE,
  ): CustomMetricGroup => ({
    title,
    metrics: [...metrics] as (Metric | MathExpression)[],
    graphWidgetType,
  });
  return [
    {
      question: 'Are apps being served?',
      graphs: [
        graph(
          'Successful calls',
          operations.map(({ name, service }) => count('Responses', service, name, OK)),
        ),
        graph('Calls that fail', [
          ...operations.map(({ name, service }) => count('ServerErrors', service, name)),
          api.metricServerError({ period: PERIOD, statistic: 'Sum', label: 'as apps see them' }),
        ]),
        graph('Time of 99 in 100 calls, ms', [
          ...operations.map(({ name, function: lambda }) =>
            lambda.metricDuration({ period: PERIOD, statistic: 'p99', label: name }),
          ),
          api.metricLatency({ period: PERIOD, statistic: 'p99', label: 'as apps see it' }),
        ]),
        graph(
          'Concurrent executions',
          [...operations, consumer].map(({ name, function: lambda }) =>
            lambda.metric('ConcurrentExecutions', {
              period: PERIOD,
              statistic: 'Maximum',
              label: name,
            }),
          ),
        ),
      ],
    },
    {
      question: 'Is anyone refused, and why?',
      graphs: [
        ...operations.map(({ name, service }) =>
          graph(
            `${name}: responses by code, without ${OK}`,
            ERROR_CODES.map((code) => count('Responses', service, code, code)),
            GraphWidgetType.STACKED_AREA,
          ),
        ),
        graph('Token of another user', [
          count('UserBindingRefused', applyPromoCode.folder, 'promo codes lost'),
        ]),
        graph('Rejected by the gateway or a function', [
          api.metricClientError({ period: PERIOD, statistic: 'Sum', label: '4xx' }),
        ]),
      ],
    },
    {
      question: 'Is anything waiting or lost?',
      graphs: [
        graph('Promo events', [
          count('PromoEventApplied', applyPromoCode.folder, 'applied'),
          count('PromoEventRepeated', applyPromoCode.folder, 'repeated'),
          count('PromoEventQueued', applyPromoCode.folder, 'queued'),
          count('PromoEventApplied', consumer.service, 'applied from the queue'),
          count('PromoEventRepeated', consumer.service, 'repeated from the queue'),
          count('ServerErrors', consumer.service, 'failed from the queue'),
        ]),
        graph('Messages', [
          queue.metricApproximateNumberOfMessagesVisible({ period: PERIOD, label: 'waiting' }),
          queue.metricApproximateNumberOfMessagesNotVisible({ period: PERIOD, label: 'in flight' }),
          deadLetterQueue.metricApproximateNumberOfMessagesVisible({
            period: PERIOD,
            label: 'dead letters',
          }),
          pipe.deadLetterQueue.metricApproximateNumberOfMessagesVisible({
            period: PERIOD,
            label: 'dead letters of the pipe',
          }),
          lostVersions.metricApproximateNumberOfMessagesVisible({
            period: PERIOD,
            label: 'dead letters of the history',
          }),
        ]),
        graph('Oldest message, s', [
          queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, label: 'age' }),
        ]),
        graph('Pipe to the event bus', [
          pipeMetric('EventCount', pipe, 'sent'),
          pipeMetric('ExecutionFailed', pipe, 'failed'),
          pipeMetric('ExecutionThrottled', pipe, 'throttled'),
        ]),
      ],
    },
    {
      question: 'Is a configuration broken?',
      graphs: [
        graph('Fields left out of responses', [count('FieldsLeftOut', getConfig.folder, 'fields')]),
        graph(
          'Refused: the client admits nobody',
          operations.map(({ name, service }) => count('ClientLockedOut', service, name)),
        ),
        graph(
          'Served from an old copy',
          operations.map(({ name, service }) => count('LastGoodConfigServed', service, name)),
        ),
        graph('Changes that bypassed the tools', [
          count('ChangedOutside', recorder.service, 'all'),
          count('ManualEditHarmedClient', recorder.service, 'harmed a client'),
        ]),
      ],
    },
    {
      question: 'What does it cost?',
      graphs: [
        graph(
          'US dollars an hour, list prices of us-east-1, without logs, alarms and web ACL',
          costs({
            stage: api,
            functions: [...operations, consumer, recorder],
            memoryMegabytes: settings.memoryMegabytes,
            tables,
          }),
          GraphWidgetType.STACKED_AREA,
        ),
        graph('Calls an hour', [
          api.metricCount({ period: HOUR, statistic: 'SampleCount', label: 'calls' }),
        ]),
      ],
    },
  ];
}

function costs({
  stage,
  functions,
  memoryMegabytes,
  tables: { configs, promoEvents },
}: {
  readonly stage: Monitored['api'];
  readonly functions: Monitored['operations'];
  readonly memoryMegabytes: number;
  readonly tables: Monitored['tables'];
}): MathExpression[] {
  const cost = (label: string, expression: string, usingMetrics: Record<string, IMetric>) =>
    new MathExpression({
      label,
      expression: `(${expression}) / 1000000`,
      usingMetrics,
      period: HOUR,
    });
  const units = (metricName: string, { tableName }: { readonly tableName: string }) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: tableName },
      statistic: 'Sum',
    });
  const perMillisecond = (PRICES.functionGigabyteSecond * memoryMegabytes) / 1024 / 1000;
  return [
    cost('API Gateway', `${PRICES.gatewayRequest} * calls`, {
      calls: stage.metricCount({ statistic: 'SampleCount' }),
    }),
    ...functions.map(({ name, function: lambda }, index) =>
      cost(
        `Lambda ${name}`,
        `${perMillisecond} * time${index} + ${PRICES.functionRequest} * invocations${index}`,
        {
          [`time${index}`]: lambda.metricDuration({ statistic: 'Sum' }),
          [`invocations${index}`]: lambda.metricInvocations({ statistic: 'Sum' }),
        },
      ),
    ),
    cost('DynamoDB reads', `${PRICES.readUnit} * reads`, {
      reads: units('ConsumedReadCapacityUnits', configs),
    }),
    cost('DynamoDB writes', `${PRICES.writeUnit} * writes`, {
      writes: units('ConsumedWriteCapacityUnits', promoEvents),
    }),
  ];
}
