import type { VersionSummary } from '../../core/configuration/version.ts';
import { printable } from '../../core/text.ts';

/** The lines of a history for people: a header, and a line for each version as it is read. */
export async function* historyLines(
  clientId: string,
  versions: AsyncIterable<VersionSummary>,
): AsyncGenerator<string> {
  const width = `${clientId}@999`.length;
  const row = (...[version = '', when, source, problems, who, what]: string[]) =>
    `${version.padEnd(width)}  ${when?.padEnd(20)}  ${source?.padEnd(9)}  ${problems?.padStart(8)}  ${who?.padEnd(16)}  ${what}`.trimEnd();
  yield row('VERSION', 'WHEN', 'SOURCE', 'PROBLEMS', 'WHO', 'MESSAGE');
  let newer: VersionSummary | undefined;
  for await (const version of versions) {
    if (newer) yield lineOf(newer, version);
    newer = version;
  }
  if (newer) yield lineOf(newer, undefined);

  function lineOf(version: VersionSummary, older: VersionSummary | undefined): string {
    const { at, source, problems, by = '-' } = version;
    return row(
      `${clientId}@${version.version}`,
      at.replace(/\.\d+/, ''),
      source,
      String(problems),
      source === 'published' ? nameOf(by) : '-',
      remarks(version, older).join('; '),
    );
  }
}

function remarks(
  { source, message = '', restores, isDeleted, keys }: VersionSummary,
  older: VersionSummary | undefined,
): string[] {
  const haveKeysChanged = older && JSON.stringify(older.keys) !== JSON.stringify(keys);
  return [
    ...(source === 'published' && message !== '' ? [printable(message)] : []),
    ...(restores === undefined ? [] : [`brings back @${restores}`]),
    ...(isDeleted ? ['the client was removed'] : []),
    ...(haveKeysChanged ? ['other keys'] : []),
  ];
}

/** The name of a caller: an ARN without what the callers of an account have in common. */
function nameOf(by: string): string {
  return printable(by.replace(/^arn:[^/]*\//, ''));
}
