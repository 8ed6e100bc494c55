import { type HistoryEntry, hasSameFields } from '../../../admin/configuration/history-entries.ts';
import type { AccessDigests, VersionSummary } from '../../../core/history/version.ts';
import { counted, printable, shortened } from '../../../core/text.ts';
import { authorName } from '../../author-name.ts';
import { durationOf } from '../../terminal/duration.ts';
import { rowsOf } from '../../terminal/table.ts';

/** The longest name of a person in a row. */
const WHO_CHARACTERS = 12;

/** Formats a history for people: a header, and a line for each version, cut to the columns. */
export async function* historyLines(
  clientId: string,
  entries: AsyncIterable<HistoryEntry>,
  columns: number,
  effectsOf: (before: VersionSummary, after: VersionSummary) => Promise<string[] | undefined>,
): AsyncGenerator<string> {
  const cells = rowsOf(`${clientId}@999`.length, 20, 8, WHO_CHARACTERS);
  const row = (...values: readonly string[]) => shortened(cells(...values), columns - 1);
  let isHeaded = false;
  for await (const { version, older, liveFor, isLive } of entries) {
    if (!isHeaded) yield row('VERSION', 'WHEN', 'LIVE FOR', 'WHO', 'MESSAGE');
    isHeaded = true;
    const isEdit = version.source === 'outside' && older && !hasSameFields(version, older);
    const effects = isEdit && !version.isDeleted ? await effectsOf(older, version) : [];
    yield row(
      `${clientId}@${version.version}`,
      version.at.replace(/T([\d:]+).*/, ' $1Z'),
      isLive ? 'is live' : liveFor === undefined ? '-' : durationOf(liveFor * 1000),
      whoMade(version),
      remarks(version, older, effects),
    );
  }
}

function whoMade({ source, by = '-' }: VersionSummary): string {
  return source === 'outside' ? 'manual edit' : shortened(authorName(by), WHO_CHARACTERS - 1);
}

function remarks(
  version: VersionSummary,
  older: VersionSummary | undefined,
  effects: readonly string[] = ['fields edited'],
): string {
  const { source, message = '', restores, isDeleted, isTooLarge, keys, problems } = version;
  // The command that removes a client has no other message.
  if (isDeleted) return 'the client was removed';
  const isManual = source === 'outside';
  const all = [
    ...effects.map((effect) => printable(effect.replace(/\.$/, ''))),
    problems > 0 && counted(problems, 'problem'),
    source === 'published' && printable(message),
    restores !== undefined && `brings back @${restores}`,
    isManual && !older && 'created, or before the history began',
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
  const [oldAppIds, newAppIds] = [new Set(before.appIds), new Set(after.appIds)];
  return [
    ...[...oldAppIds.difference(newAppIds)].map((appId) => `App-Id ${appId} removed`),
    ...[...newAppIds.difference(oldAppIds)].map((appId) => `App-Id ${appId} added`),
    ...(old === fresh ? [] : [`app clients: ${fresh || 'none'} instead of ${old || 'none'}`]),
  ];
}
