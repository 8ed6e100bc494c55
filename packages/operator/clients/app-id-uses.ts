import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { functionName, OPERATIONS } from 'customer-data-api/operations';
import { functionLogGroup } from 'customer-data-api/stack';
import type { Deployment } from 'customer-data-api-deployment';
import { awsClient, inOneLine } from 'customer-data-api-deployment';
import { readAppIdUses } from 'customer-data-api-deployment/local';

/** The hours of the logs that are counted. */
export const HOURS = 24;
/** Long enough for a day of a large deployment, and short enough for somebody who waits. */
const TIME_LIMIT_MS = 30_000;
const POLL_MS = 500;
/** The states in which a query ends without a result. */
const FAILED = ['Cancelled', 'Failed', 'Timeout'];

/** The uses of an App-Id in the last day, as far as the functions logged them. */
export interface AppIdUses {
  readonly uses: number;
  /** When the last use was logged, in ISO 8601; in AWS, the hour. There may be later ones. */
  readonly lastLogged?: string | undefined;
}

/**
 * Counts the uses of App-Ids in the logs of the functions. It never throws: an App-Id that has
 * leaked is revoked even while the logs cannot be read.
 *
 * @returns the uses in the same order, or a sentence that says why they are unknown.
 */
export async function countAppIdUses(
  { stackName, outputs, outputsFile = '' }: Deployment,
  clientId: string,
  fingerprints: readonly string[],
): Promise<readonly AppIdUses[] | string> {
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    if (outputs.JwksUri !== undefined) {
      const since = Date.now() - HOURS * 60 * 60 * 1000;
      const uses = fingerprints.map((fingerprint) =>
        readAppIdUses(dirname(outputsFile), clientId, fingerprint, since),
      );
      return await Promise.all(uses);
    }
    using client = awsClient('logs', CloudWatchLogsClient, outputs);
    const uses = fingerprints.map((fingerprint) =>
      queryUses(client, stackName, usesQuery(clientId, fingerprint), limit),
    );
    return await Promise.all(uses);
  } catch (error) {
    return limit.aborted
      ? `CloudWatch Logs did not respond within ${TIME_LIMIT_MS / 1000} seconds.`
      : (inOneLine(error) as Error).message;
  }
}

async function queryUses(
  client: CloudWatchLogsClient,
  stackName: string,
  queryString: string,
  abortSignal: AbortSignal,
): Promise<AppIdUses> {
  const now = Math.ceil(Date.now() / 1000);
  const { queryId } = await client.send(
    new StartQueryCommand({
      logGroupNames: OPERATIONS.map((operation) =>
        functionLogGroup(stackName, functionName(operation)),
      ),
      startTime: now - HOURS * 60 * 60,
      endTime: now,
      queryString,
    }),
    { abortSignal },
  );
  for (;;) {
    const { status = '', results = [] } = await client.send(
      new GetQueryResultsCommand({ queryId }),
      { abortSignal },
    );
    if (FAILED.includes(status)) throw new Error(`The query of the logs ended as ${status}.`);
    if (status === 'Complete') {
      const hours = results.map(
        (row): Readonly<Record<string, string | undefined>> =>
          Object.fromEntries(row.map(({ field, value }) => [field, value])),
      );
      const last = hours.find(({ uses = 0 }) => Number(uses) > 0)?.hour;
      return {
        uses: hours.reduce((sum, { uses = 0 }) => sum + Number(uses), 0),
        lastLogged: last?.replace(' ', 'T').replace(/\.\d+$/, 'Z'),
      };
    }
    await setTimeout(POLL_MS, undefined, { signal: abortSignal });
  }
}

/**
 * The query of Logs Insights that sums the uses of an App-Id by hour, the newest first. It finds
 * the count by a pattern, because the name of a field of Insights cannot contain everything that a
 * client id can.
 */
function usesQuery(clientId: string, fingerprint: string): string {
  // Every character with a meaning in a pattern, and the slash that ends it.
  const client = JSON.stringify(clientId).replaceAll(/[\\^$.|?*+()[\]{}/]/g, '\\$&');
  return [
    'filter message = "App-Ids were used"',
    `parse @message /${client}:\\{[^}]*"${fingerprint}":(?<count>\\d+)/`,
    'stats sum(count) as uses by bin(1h) as hour',
    'sort hour desc',
  ].join(' | ');
}
