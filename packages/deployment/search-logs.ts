import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { functionName, type Operation } from 'customer-data-api/operations';
import { functionLogGroup } from 'customer-data-api/stack';
import { awsClient } from './aws-clients.ts';
import { AwsError, inOneLine } from './aws-error.ts';
import type { Deployment } from './deployment.ts';
import { isLocal } from './outputs.ts';

/** The hours of the logs that are searched. */
export const HOURS = 24;
/** Long enough for a day of a large deployment, and short enough for somebody who waits. */
const TIME_LIMIT_MS = 30_000;
const POLL_MS = 500;
/** The states in which a query ends without a result. */
const FAILED = ['Cancelled', 'Failed', 'Timeout'];

/** A row of a result: its fields by name. */
export type Row = Readonly<Record<string, string | undefined>>;

/** The reason why nothing is known of the logs. */
export interface UnknownLogs {
  /** The reason, in a sentence. */
  readonly unknown: string;
  /** True if the caller may not search them. */
  readonly isDenied: boolean;
}

/** The search of the logs of the last day. */
interface Search<T> {
  /** @param query runs a query of Logs Insights on the logs of operations. */
  readonly inAws: (
    query: (operations: readonly Operation[], queryString: string) => Promise<Row[]>,
  ) => Promise<T>;
  /** @param since in milliseconds since 1970. */
  readonly local: (folder: string, since: number) => Promise<T>;
}

/**
 * Searches the logs of the functions in the last day. It never throws: what somebody does next may
 * not wait for the logs.
 *
 * @returns what was found, or why it is unknown.
 */
export async function searchLogs<T>(
  { stackName, outputs, outputsFile = '' }: Deployment,
  { inAws, local }: Search<T>,
): Promise<T | UnknownLogs> {
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    if (isLocal(outputs)) {
      return await local(dirname(outputsFile), Date.now() - HOURS * 60 * 60 * 1000);
    }
    using client = awsClient('logs', CloudWatchLogsClient, outputs);
    return await inAws((operations, queryString) => {
      const logGroupNames = operations.map((operation) =>
        functionLogGroup(stackName, functionName(operation)),
      );
      return query(client, { logGroupNames, queryString }, limit);
    });
  } catch (error) {
    if (limit.aborted) {
      const unknown = `CloudWatch Logs did not respond within ${TIME_LIMIT_MS / 1000} seconds.`;
      return { unknown, isDenied: false };
    }
    const failure = inOneLine(error) as Error;
    const isDenied = failure instanceof AwsError && failure.code === 'accessDenied';
    return { unknown: failure.message, isDenied };
  }
}

async function query(
  client: CloudWatchLogsClient,
  wanted: { readonly logGroupNames: string[]; readonly queryString: string },
  abortSignal: AbortSignal,
): Promise<Row[]> {
  const endTime = Math.ceil(Date.now() / 1000);
  const { queryId } = await client.send(
    new StartQueryCommand({ ...wanted, startTime: endTime - HOURS * 60 * 60, endTime }),
    { abortSignal },
  );
  for (;;) {
    const { status = '', results = [] } = await client.send(
      new GetQueryResultsCommand({ queryId }),
      { abortSignal },
    );
    if (FAILED.includes(status)) throw new Error(`The query of the logs ended as ${status}.`);
    if (status === 'Complete') {
      return results.map((row) =>
        Object.fromEntries(row.map(({ field = '', value }) => [field, value])),
      );
    }
    await setTimeout(POLL_MS, undefined, { signal: abortSignal });
  }
}

/** Writes an hour of a result, such as `2026-11-27 09:00:00.000`, in ISO 8601. */
export function hourOf(text: string | undefined): string | undefined {
  return text?.replace(' ', 'T').replace(/\.\d+$/, 'Z');
}
