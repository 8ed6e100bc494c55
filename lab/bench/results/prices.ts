/** A price that holds for the first units of a month, up to a number of them. */
export interface Tier {
  /** Infinity for the last tier. */
  readonly upTo: number;
  readonly price: number;
}

const GATEWAY_REQUEST = 3.5 / 1_000_000;

/**
 * List prices in US dollars for us-east-1, without the free tier. Update `asOf` together with a
 * price. https://aws.amazon.com/lambda/pricing/, /api-gateway/pricing/,
 * /dynamodb/pricing/on-demand/, /eventbridge/pricing/, /waf/pricing/, /cloudwatch/pricing/,
 * /xray/pricing/
 */
export const PRICES = {
  asOf: '2026-11-20',
  /** Lambda on ARM64: per request, and per gigabyte-second. */
  lambdaRequest: 0.2 / 1_000_000,
  lambdaGigabyteSecond: 0.000_013_333_4,
  /** API Gateway, REST API: per request, up to 333 million requests a month. */
  gatewayRequest: GATEWAY_REQUEST,
  gatewayRequestTiers: [
    { upTo: 333_000_000, price: GATEWAY_REQUEST },
    { upTo: 1_000_000_000, price: 2.8 / 1_000_000 },
    { upTo: 20_000_000_000, price: 2.38 / 1_000_000 },
    { upTo: Number.POSITIVE_INFINITY, price: 1.51 / 1_000_000 },
  ] satisfies readonly Tier[],
  /** DynamoDB on demand: per consistent read of 4 KB, and per write of 1 KB. */
  readUnit: 0.125 / 1_000_000,
  writeUnit: 0.625 / 1_000_000,
  /** DynamoDB: per gigabyte and month, of the table and of its point-in-time backup. */
  gigabyteStored: 0.25,
  gigabyteBackup: 0.2,
  /** EventBridge: per event on a bus. */
  busEvent: 1 / 1_000_000,
  /** WAF: per month for the web ACL and for each of its rules, and per request. */
  webAcl: 5,
  webAclRule: 1,
  webAclRequest: 0.6 / 1_000_000,
  /** CloudWatch Logs: per gigabyte that is written. */
  gigabyteLogged: 0.5,
  /**
   * CloudWatch, a month, looked up on 2026-11-27: each metric of an alarm, a composite alarm, a
   * metric of a function, a dashboard.
   */
  alarmMetric: 0.1,
  compositeAlarm: 0.5,
  customMetric: 0.3,
  dashboard: 3,
  /** X-Ray: per trace that is recorded. */
  trace: 5 / 1_000_000,
  /** Per gigabyte transferred to the internet. */
  gigabyteOut: 0.09,
} as const;
