import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { APP_IDS_USED, REQUEST_FAILED, REQUEST_REFUSED } from 'customer-data-api/stack';
import { readTextFileIfAny } from '../program/file-error.ts';

/** The file with the lines of logs that commands read, beside the outputs. */
const KEPT_LINES_FILE = 'kept-lines.jsonl';

/** Uses of App-Ids, and refused requests: few lines. */
const KEPT = new RegExp(
  [APP_IDS_USED, REQUEST_REFUSED, REQUEST_FAILED]
    .map((message) => JSON.stringify(message))
    .join('|'),
);

/**
 * Keeps the lines of logs that commands read.
 *
 * @param keepsLines true to keep those of earlier runs.
 * @returns receives each line of a log.
 */
export async function openKeptLines(
  folder: string,
  keepsLines: boolean,
): Promise<(line: string) => void> {
  const file = join(folder, KEPT_LINES_FILE);
  await writeFile(file, '', { flag: keepsLines ? 'a' : 'w' });
  return (line) => {
    if (KEPT.test(line)) appendFileSync(file, `${line}\n`);
  };
}

// biome-ignore lint/suspicious/noExplicitAny: lines of the service, which has written them
async function readKeptLines(folder: string): Promise<any[]> {
  const file = join(folder, KEPT_LINES_FILE);
  const text = (await readTextFileIfAny('The log of the local server', file)) ?? '';
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Counts the logged uses of an App-Id since a time, in milliseconds since 1970. */
export async function readAppIdUses(
  folder: string,
  clientId: string,
  fingerprint: string,
  since: number,
) {
  const logged = (await readKeptLines(folder))
    .filter(({ uses, timestamp }) => uses && Date.parse(timestamp) >= since)
    .map(({ uses, ...line }) => ({ ...line, uses: uses[clientId]?.[fingerprint] ?? 0 }));
  return {
    uses: logged.reduce((sum, { uses }) => sum + uses, 0),
    lastLogged: logged.findLast(({ uses }) => uses > 0)?.timestamp,
  };
}

/** Lists the requests that a function refused, or that failed, since a time, as Insights does. */
export async function readRefusals(folder: string, service: string, since: number) {
  return (await readKeptLines(folder))
    .filter(
      (line) =>
        line.statusCode !== undefined &&
        line.message !== undefined &&
        line.service === service &&
        Date.parse(line.timestamp) >= since,
    )
    .map(({ clientId, appId, code, mistake, reason, problems, timestamp }) => ({
      clientId: clientId as string | undefined,
      appId: appId as string | undefined,
      code: String(code),
      mistake: mistake as string | undefined,
      why: String(reason ?? problems?.[0] ?? ''),
      hour: `${timestamp.slice(0, 13)}:00:00Z`,
    }));
}
