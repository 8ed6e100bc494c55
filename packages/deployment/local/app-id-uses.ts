import { appendFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file with the lines that functions log about uses of App-Ids, beside the outputs. */
const APP_ID_USES_FILE = 'app-id-uses.jsonl';

/**
 * Keeps the lines that functions log about uses of App-Ids.
 *
 * @param keepsUses true to keep those of earlier runs.
 * @returns receives each line of a log.
 */
export async function openAppIdUses(
  folder: string,
  keepsUses: boolean,
): Promise<(line: string) => void> {
  const file = join(folder, APP_ID_USES_FILE);
  await writeFile(file, '', { flag: keepsUses ? 'a' : 'w' });
  return (line) => {
    // Synchronously: a function logs few such lines.
    if (line.includes('"App-Ids were used"')) appendFileSync(file, `${line}\n`);
  };
}

/** Counts the logged uses of an App-Id since a time, in milliseconds since 1970. */
export async function readAppIdUses(
  folder: string,
  clientId: string,
  fingerprint: string,
  since: number,
) {
  const text = await readFile(join(folder, APP_ID_USES_FILE), 'utf8').catch(() => '');
  const lines = text.split('\n').filter(Boolean);
  const logged = lines
    .map((line) => JSON.parse(line))
    .filter(({ timestamp }) => Date.parse(timestamp) >= since)
    .map(({ uses, ...line }) => ({ ...line, uses: uses[clientId]?.[fingerprint] ?? 0 }));
  return {
    uses: logged.reduce((sum, { uses }) => sum + uses, 0),
    lastLogged: logged.findLast(({ uses }) => uses > 0)?.timestamp,
  };
}
