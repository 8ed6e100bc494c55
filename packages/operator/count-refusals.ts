import { dirname } from 'node:path';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { applyPromoCode, errors } from 'customer-data-api/operations';
import { NAMESPACE } from 'customer-data-api/stack';
import { awsClient, type Deployment, inOneLine } from 'customer-data-api-deployment';
import { readResponses } from 'customer-data-api-deployment/local';
import { STACK_NAME } from 'customer-data-api-deployment/outputs';

const HOUR_MS = 3_600_000;
/** Short enough for somebody who waits for the rest of the answer. */
const TIME_LIMIT_MS = 5000;

/** The codes of the responses with which `promoCode/apply` stores nothing. */
const CODES = [
  new errors.UnauthorizedError(),
  new errors.TokenExpiredError(),
  new errors.ForbiddenError(),
  new errors.ValidationError([{ message: '' }]),
  new errors.PayloadTooLargeError(''),
  new errors.ServiceUnavailableError(),
  new errors.InternalServerError(),
].map(({ code }) => code);

/** The numbers of responses that are not zero, by code. */
type Counts = Readonly<Record<string, number>>;

/**
 * Counts what `promoCode/apply` refused in the last hour, by the code of the response, of any
 * client: no metric has clients. What the gateway or the web ACL refuses never reaches the
 * function. It never throws.
 *
 * @returns the counts, or a sentence that says why they are unknown.
 */
export async function countRefusals(deployment: Deployment): Promise<Counts | string> {
  const { outputs, outputsFile } = deployment;
  const since = new Date(Date.now() - HOUR_MS);
  try {
    if (outputs.JwksUri === undefined) return await fromCloudWatch(deployment, since);
    if (outputsFile !== undefined) {
      return await readResponses(dirname(outputsFile), applyPromoCode.folder, CODES, since);
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
  StartTime: Date,
): Promise<Counts> {
  using client = awsClient('cloudwatch', CloudWatchClient, outputs);
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      StartTime,
      EndTime: new Date(),
      MetricDataQueries: CODES.map((code, index) => ({
        Id: `metric${index}`,
        Label: code,
        MetricStat: {
          Metric: {
            Namespace: NAMESPACE,
            MetricName: 'Responses',
            Dimensions: Object.entries({
              service: applyPromoCode.folder,
              stage: stackName.replace(STACK_NAME, ''),
              code,
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
