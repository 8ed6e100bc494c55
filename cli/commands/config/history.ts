import type { AccessDigests, VersionSummary } from '../../../core/history/version.ts';
import { printable } from '../../../core/text.ts';
import { wrap } from '../../terminal/wrap-text.ts';

/**
 * The lines of a history for people: a header, and a row for each version as it is read. A message that is too long for its
 * row gets lines of its own.
 *
 * @param columns how long a line may be.
 */
export async function* historyLines(
  clientId: string,
  versions: AsyncIterable<VersionSummary>,
  columns: number,
): AsyncGenerator<string> {
  let newer: VersionSummary | undefined;
  for await (const version of versions) {
    if (newer) yield* linesOf(newer, version);
    else yield* row(['VERSION', 'WHEN', 'SOURCE', 'PROBLEMS', 'WHO'], 'MESSAGE');
    newer = version;
  }
  if (newer) yield* linesOf(newer, undefined);

  function linesOf(version: VersionSummary, older: VersionSummary | undefined): string[] {
    const { at, source, problems, by = '-' } = version;
    return row(
      [
        `${clientId}@${version.version}`,
        at.replace(/\.\d+/, ''),
        source,
        String(problems),
        source === 'published' ? authorName(by) : '-',
      ],
      remarks(version, older).join('; '),
    );
  }

  function row([version = '', when, source, problems, who]: string[], message: string): string[] {
    const start = `${version.padEnd(`${clientId}@999`.length)}  ${when?.padEnd(20)}  ${source?.padEnd(9)}  ${problems?.padStart(8)}`;
    const line = `${start}  ${who?.padEnd(16)}  ${message}`.trimEnd();
    if (line.length <= columns) return [line];
    return [
      ...wrap(`${start}  ${who}`, columns),
      ...(message === '' ? [] : wrap(message, columns, '    ')),
    ];
  }
}

function remarks(
  { source, message = '', restores, isDeleted, isTooLarge, keys }: VersionSummary,
  older: VersionSummary | undefined,
): string[] {
  // The command that removes a client has no other message.
  if (isDeleted) return ['the client was removed'];
  return [
    ...(source === 'published' && message !== '' ? [printable(message)] : []),
    ...(restores === undefined ? [] : [`brings back @${restores}`]),
    ...(isTooLarge ? ['its content was too large to be recorded'] : []),
    // The message of a command names the keys.
    ...(source === 'outside' && older ? changesOfKeys(older.keys, keys) : []),
  ];
}

function changesOfKeys(before: AccessDigests, after: AccessDigests): string[] {
  const [old, fresh] = [before, after].map(
    ({ userPoolClientIds }) => userPoolClientIds?.map(printable).join(', ') ?? 'any',
  );
  return [
    ...before.appIds
      .filter((key) => !after.appIds.includes(key))
      .map((key) => `key ${key} removed`),
    ...after.appIds.filter((key) => !before.appIds.includes(key)).map((key) => `key ${key} added`),
    ...(old === fresh ? [] : [`app clients: ${fresh || 'none'} instead of ${old || 'none'}`]),
  ];
}

/** The name of a caller: an ARN without what the callers of an account have in common. */
function authorName(by: string): string {
  return printable(by.replace(/^arn:[^/]*\//, ''));
}
