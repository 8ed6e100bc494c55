import { setTimeout } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { functionLogGroup } from '../../../core/function-names.ts';
import { functionName } from '../../../functions/http/operation.ts';
import { OPERATIONS } from '../../../functions/operations.ts';
import { named } from '../../deployment/aws-clients.ts';
import { inOneLine } from '../../deployment/aws-error.ts';
import type { Deployment } from '../../deployment/deployment.ts';

const HOURS = 24;
/**
 * Long enough for a day of a large deployment, and short enough for somebody who waits for the
 * question.
 */
const TIME_LIMIT_MS = 30_000;
const POLL_MS = 500;
/** The states in which a query ends without a result. */
const FAILED = ['Cancelled', 'Failed', 'Timeout'];

/**
 * Says in one sentence how often a key was used in the last day, as far as the functions logged it,
 * or why that is not known. It never throws: a key that has leaked is revoked even while the logs
 * cannot be read.
 *
 * @param key the first digits of its digest.
 */
export async function describeAppIdUses(
  deployment: Deployment,
  clientId: string,
  key: string,
): Promise<string> {
  if (deployment.outputs.JwksUri !== undefined) {
    return 'Uses of this App-Id are unknown: the local server keeps no log.';
  }
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  try {
    const { uses, unnamed } = await queryUses(deployment, clientId, key, limit);
    const period = `in the last ${HOURS} hours`;
    if (uses > 0) {
      const times = uses === 1 ? 'once' : `${uses.toLocaleString('en')} times`;
      return `This App-Id was used at least ${times} ${period}.`;
    }
    return unnamed === 0
      ? `No use of this App-Id was logged ${period}.`
      : `Uses of this App-Id ${period} are unknown: the logs leave out ${unnamed.toLocaleString('en')} uses of App-Ids.`;
  } catch (error) {
    const failure = limit.aborted
      ? `CloudWatch Logs did not respond within ${TIME_LIMIT_MS / 1000} seconds.`
      : (inOneLine(error) as Error).message;
    return `Uses of this App-Id are unknown: ${failure}`;
  }
}

/** The uses of the key, and those of keys that the lines have no room for. */
async function queryUses(
  { stackName, outputs }: Deployment,
  clientId: string,
  key: string,
  abortSignal: AbortSignal,
): Promise<{ readonly uses: number; readonly unnamed: number }> {
  const client = named('logs', new CloudWatchLogsClient({ region: outputs.Region }));
  try {
    const now = Math.ceil(Date.now() / 1000);
    const { queryId } = await client.send(
      new StartQueryCommand({
        logGroupNames: OPERATIONS.map((operation) =>
          functionLogGroup(stackName, functionName(operation)),
        ),
        startTime: now - HOURS * 60 * 60,
        endTime: now,
        queryString: keyUsesQuery(clientId, key),
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
        const [row = []] = results;
        const sum = (name: string) => Number(row.find(({ field }) => field === name)?.value ?? 0);
        return { uses: sum('uses'), unnamed: sum('notNamed') };
      }
      await setTimeout(POLL_MS, undefined, { signal: abortSignal });
    }
  } finally {
    client.destroy();
  }
}

/**
 * The query of Logs Insights that sums the uses of a key. It finds the count by a pattern, because
 * the name of a field of Insights cannot contain everything that a client id can.
 */
function keyUsesQuery(clientId: string, key: string): string {
  // Every character with a meaning in a pattern, and the slash that ends it.
  const client = JSON.stringify(clientId).replaceAll(/[\\^$.|?*+()[\]{}/]/g, '\\$&');
  return [
    'filter message = "App-Ids were used"',
    `parse @message /${client}:\\{[^}]*"${key}":(?<count>\\d+)/`,
    'stats sum(count) as uses, sum(unnamed) as notNamed',
  ].join(' | ');
}
