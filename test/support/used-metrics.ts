import * as errors from '../../functions/http/errors.ts';
import { EMITTED_METRICS } from './emitted-metrics.ts';

/** A metric that an alarm or a graph uses. */
export interface UsedMetric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, unknown>>;
}

/** The metrics of AWS that we rely on, with their dimensions. */
const AWS_METRICS: Readonly<Record<string, readonly [dimensions: string[], names: string[]]>> = {
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html
  'AWS/ApiGateway': [
    ['ApiName', 'Stage'],
    ['4XXError', '5XXError', 'Count', 'Latency'],
  ],
  // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
  'AWS/CertificateManager': [['CertificateArn'], ['DaysToExpiry']],
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
  'AWS/DynamoDB': [['TableName'], ['ReadThrottleEvents', 'WriteThrottleEvents']],
  'AWS/DynamoDB SuccessfulRequestLatency': [
    ['Operation', 'TableName'],
    ['SuccessfulRequestLatency'],
  ],
  // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
  'AWS/Lambda': [
    ['FunctionName'],
    ['ConcurrentExecutions', 'Duration', 'Errors', 'Invocations', 'IteratorAge', 'Throttles'],
  ],
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Log-Metrics.html
  'AWS/Logs': [['LogGroupName'], ['IncomingBytes']],
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
  'AWS/SQS': [
    ['QueueName'],
    [
      'ApproximateAgeOfOldestMessage',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateNumberOfMessagesVisible',
    ],
  ],
  // https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html
  'AWS/WAFV2': [['Region', 'Rule', 'WebACL'], ['BlockedRequests']],
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Quotas-Visualize-Alarms.html
  'AWS/Usage': [['Class', 'Resource', 'Service', 'Type'], ['ResourceCount']],
};

const CODES = [
  'OK',
  ...Object.values(errors).flatMap((ErrorClass) => {
    const { code } = Object(Reflect.construct(ErrorClass, [[{ message: '' }]]));
    return typeof code === 'string' ? [code] : [];
  }),
];

/**
 * Says what is wrong with a metric: nobody publishes it, or not with these dimensions. undefined if
 * nothing is.
 */
export function faultOf({ namespace, name, dimensions }: UsedMetric, stage: string) {
  const names = Object.keys(dimensions).sort();
  if (namespace !== 'CustomerDataApi') {
    const [expected, known] = AWS_METRICS[`${namespace} ${name}`] ??
      AWS_METRICS[namespace] ?? [[], []];
    if (!known.includes(name)) return `AWS has no metric ${namespace} ${name}.`;
    return isEqual(names, expected) ? undefined : `${name} has other dimensions than ${names}.`;
  }
  const { service, stage: ofStage, code, ...others } = dimensions;
  if (ofStage !== stage) return `${name} is not of the stage ${stage}.`;
  if (!EMITTED_METRICS[String(service)]?.some((emitted) => emitted === name)) {
    return `${service} does not count ${name}.`;
  }
  if (Object.keys(others).length > 0) return `${name} has no dimensions ${Object.keys(others)}.`;
  if (code === undefined) return undefined;
  return name === 'Responses' && CODES.includes(String(code))
    ? undefined
    : `${name} has no code ${code}.`;
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join();
}
