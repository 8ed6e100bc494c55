import type { AccessDigests, VersionSummary } from '../../../core/history/version.ts';
import { counted, printable, shortened } from '../../../core/text.ts';
import { authorName } from '../../author-name.ts';
import { durationOf } from '../../terminal/duration.ts';
import { rowsOf } from '../../terminal/table.ts';

/** The longest name of a person in a row. */
const WHO_CHARACTERS = 12;

/**
 * Formats a history for people: a header, and a line for each version as it is read.
 *
 * @param columns the length of a line. What does not fit is cut.
 */
export async function* historyLines(
  clientId: string,
  versions: AsyncIterable<VersionSummary>,
  columns: number,
): AsyncGenerator<string> {
  const cells = rowsOf(`${clientId}@999`.length, 17, 8, WHO_CHARACTERS);
  const row = (...values: readonly string[]) => shortened(cells(...values), columns - 1);
  const rowOf = (
    version: VersionSummary,
    older: VersionSummary | undefined,
    newer: VersionSummary | undefined,
  ) =>
    row(
      `${clientId}@${version.version}`,
      version.at.replace(/T(\d\d:\d\d).*/, ' $1Z'),
      liveFor(version, newer),
      whoMade(version),
      remarks(version, older),
    );
  let newest: VersionSummary | undefined;
  let newer: VersionSummary | undefined;
  for await (const version of versions) {
    if (newer) yield rowOf(newer, version, newest);
    else yield row('VERSION', 'WHEN', 'LIVE FOR', 'WHO', 'MESSAGE');
    [newest, newer] = [newer, version];
  }
  if (newer) yield rowOf(newer, undefined, newest);
}

/** Tells how long a version was live: until the next one. */
function liveFor({ at, isDeleted }: VersionSummary, next: VersionSummary | undefined): string {
  if (isDeleted) return '-';
  return next ? durationOf(Date.parse(next.at) - Date.parse(at)) : 'is live';
}

function whoMade({ source, by = '-' }: VersionSummary): string {
  return source === 'outside' ? 'manual edit' : shortened(authorName(by), WHO_CHARACTERS - 1);
}

function remarks(version: VersionSummary, older: VersionSummary | undefined): string {
  const { source, message = '', restores, isDeleted, isTooLarge, keys, problems } = version;
  // The command that removes a client has no other message.
  if (isDeleted) return 'the client was removed';
  const isManual = source === 'outside';
  const manualEdit = older
    ? version.digest !== older.digest && 'fields edited'
    : 'created, or before the history began';
  const all = [
    problems > 0 && counted(problems, 'problem'),
    source === 'published' && printable(message),
    restores !== undefined && `brings back @${restores}`,
    isManual && manualEdit,
    isTooLarge && 'its content was too large to be recorded',
    // The message of a command names the App-Ids.
    ...(isManual && older ? changesOfAccess(older.keys, keys) : []),
  ];
  return all.filter(Boolean).join('; ');
}

function changesOfAccess(before: AccessDigests, after: AccessDigests): string[] {
  const [old, fresh] = [before, after].map(
    ({ userPoolClientIds }) => userPoolClientIds?.map(printable).join(', ') ?? 'any',
  );
  const not = (those: AccessDigests) => (appId: string) => !those.appIds.includes(appId);
  return [
    ...before.appIds.filter(not(after)).map((appId) => `App-Id ${appId} removed`),
    ...after.appIds.filter(not(before)).map((appId) => `App-Id ${appId} added`),
    ...(old === fresh ? [] : [`app clients: ${fresh || 'none'} instead of ${old || 'none'}`]),
  ];
}
