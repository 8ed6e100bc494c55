import { dirname } from 'node:path';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { applyPromoCode, errors, getConfig } from 'customer-data-api/operations';
import { NAMESPACE } from 'customer-data-api/stack';
import { awsClient, type Deployment, inOneLine } from 'customer-data-api-deployment';
import { type CountedMetric, readMetrics } from 'customer-data-api-deployment/local';
import { STACK_NAME } from 'customer-data-api-deployment/outputs';

const HOUR_MS = 3_600_000;
/** Short enough for somebody who waits for the rest of the answer. */
const TIME_LIMIT_MS = 5000;

/** The sums of metrics that are not zero, by code or else by name. */
type Counts = Readonly<Record<string, number>>;

/**
 * Sums metrics of a function in the last hours, of any client: no metric has clients. It never
 * throws.
 *
 * @returns the sums, or a sentence that says why they are unknown.
 */
async function countMetrics(
  deployment: Deployment,
  service: string,
  metrics: readonly CountedMetric[],
  hours: number,
): Promise<Counts | string> {
  const { outputs, outputsFile } = deployment;
  const since = new Date(Date.now() - hours * HOUR_MS);
  try {
    if (outputs.JwksUri === undefined) {
      return await fromCloudWatch(deployment, service, metrics, since);
    }
    if (outputsFile !== undefined) {
      return await readMetrics(dirname(outputsFile), service, metrics, since.getTime());
    }
    return 'This deployment has no metrics.';
  } catch (error) {
    const isLate = error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);
    return isLate
      ? `CloudWatch did not respond within ${TIME_LIMIT_MS / 1000} seconds.`
      : (inOneLine(error) as Error).message;
  }
}

async function fromCloudWatch(
  { stackName, outputs }: Deployment,
  service: string,
  metrics: readonly CountedMetric[],
  StartTime: Date,
): Promise<Counts> {
  using client = awsClient('cloudwatch', CloudWatchClient, outputs);
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      StartTime,
      EndTime: new Date(),
      MetricDataQueries: metrics.map(({ name, code }, index) => ({
        Id: `metric${index}`,
        Label: code ?? name,
        MetricStat: {
          Metric: {
            Namespace: NAMESPACE,
            MetricName: name,
            Dimensions: Object.entries({
              service,
              stage: stackName.replace(STACK_NAME, ''),
              ...(code !== undefined && { code }),
            }).map(([Name, Value]) => ({ Name, Value })),
          },
          Period: 300,
          Stat: 'Sum',
        },
      })),
    }),
    { abortSignal: AbortSignal.timeout(TIME_LIMIT_MS) },
  );
  const counts = MetricDataResults.map(({ Label = '', Values = [] }) => [
    Label,
    Values.reduce((sum, value) => sum + value, 0),
  ]);
  return Object.fromEntries(counts.filter(([, count]) => count !== 0));
}

const METRICS = { candidate: 'CandidateServed', control: 'ControlServed' } as const;

/** The responses of `getConfig` to devices of each group. */
export type GroupCounts = Readonly<Record<keyof typeof METRICS, number>>;

/**
 * Counts the responses to each group of all rollouts of a deployment, in the last hours. It never
 * throws.
 *
 * @returns the counts, or a sentence that says why they are unknown.
 */
export async function countGroups(
  deployment: Deployment,
  hours: number,
): Promise<GroupCounts | string> {
  const metrics = Object.values(METRICS).map((name) => ({ name }));
  const counts = await countMetrics(deployment, getConfig.folder, metrics, hours);
  if (typeof counts === 'string') return counts;
  const [candidate = 0, control = 0] = metrics.map(({ name }) => counts[name]);
  return { candidate, control };
}

/** The metrics of the responses with which `promoCode/apply` stores nothing. */
const REFUSALS = [
  new errors.UnauthorizedError(),
  new errors.TokenExpiredError(),
  new errors.ForbiddenError(),
  new errors.ValidationError([{ message: '' }]),
  new errors.PayloadTooLargeError(''),
  new errors.ServiceUnavailableError(),
  new errors.InternalServerError(),
].map(({ code }) => ({ name: 'Responses', code }));

/**
 * Counts what `promoCode/apply` refused in the last hour, of any client, by the code of the
 * response. What the gateway or the web ACL refuses never reaches the function. It never throws.
 *
 * @returns the counts, or a sentence that says why they are unknown.
 */
export function countRefusals(deployment: Deployment): Promise<Counts | string> {
  return countMetrics(deployment, applyPromoCode.folder, REFUSALS, 1);
}
