/**
 * List prices in dollars, of us-east-1, without the free tier. When one changes, change it here, with the date.
 * https://aws.amazon.com/lambda/pricing/, /api-gateway/pricing/, /dynamodb/pricing/on-demand/
 */
export const PRICES = {
  asOf: '2026-11-20',
  /** Lambda on ARM64: a request, and a gigabyte for a second. */
  lambdaRequest: 0.2 / 1_000_000,
  lambdaGigabyteSecond: 0.000_013_333_4,
  /** API Gateway, REST: a request, of the first 333 million in a month. */
  gatewayRequest: 3.5 / 1_000_000,
  /** DynamoDB on demand: a unit of reading 4 KB consistently, and of writing 1 KB. */
  readUnit: 0.125 / 1_000_000,
  writeUnit: 0.625 / 1_000_000,
  /** A gigabyte to the internet. */
  gigabyteOut: 0.09,
} as const;
