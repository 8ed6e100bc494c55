/**
 * List prices in US dollars for us-east-1, without the free tier. Update `asOf` together with a
 * price. https://aws.amazon.com/lambda/pricing/, /api-gateway/pricing/,
 * /dynamodb/pricing/on-demand/, /cloudwatch/pricing/
 */
export const PRICES = {
  asOf: '2026-11-20',
  /** Lambda on ARM64: per request, and per gigabyte-second. */
  lambdaRequest: 0.2 / 1_000_000,
  lambdaGigabyteSecond: 0.000_013_333_4,
  /** API Gateway, REST API: per request, up to 333 million requests a month. */
  gatewayRequest: 3.5 / 1_000_000,
  /** DynamoDB on demand: per consistent read of 4 KB, and per write of 1 KB. */
  readUnit: 0.125 / 1_000_000,
  writeUnit: 0.625 / 1_000_000,
  /**
   * CloudWatch, a month, looked up on 2026-11-27: each metric of an alarm, a metric of a
   * function, a dashboard.
   */
  alarmMetric: 0.1,
  customMetric: 0.3,
  dashboard: 3,
  /** Per gigabyte transferred to the internet. */
  gigabyteOut: 0.09,
} as const;
