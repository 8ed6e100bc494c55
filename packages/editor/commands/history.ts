import { authorName } from 'customer-data-api/clients';
import { counted, shortened } from 'customer-data-api/configuration';
import {
  briefEffects,
  type Effect,
  effectSentence,
  isNamedIn,
  isOfAccess,
  isOfCustomers,
  isOfRollout,
} from 'customer-data-api/effects';
import type { Version } from 'customer-data-api/history';
import { plainText } from 'customer-data-api/sentences';
import { durationOf, printable, tableRows } from 'customer-data-api-deployment/program';
import type { ListedVersion } from '../configurations/history.ts';

/** The longest name of a person in a row. */
const WHO_CHARACTERS = 12;

/** Formats a history for people: a header, and a line for each version, cut to the columns. */
export async function* historyLines(
  clientId: string,
  versions: AsyncIterable<ListedVersion>,
  columns: number,
  effectsOf: (before: Version, after: Version) => Promise<readonly Effect[] | undefined>,
): AsyncGenerator<string> {
  const cells = tableRows(`${clientId}@999`.length, 20, 8, WHO_CHARACTERS);
  const row = (...values: readonly string[]) => shortened(cells(...values), columns - 1);
  let isHeaded = false;
  for await (const version of versions) {
    if (!isHeaded) yield row('VERSION', 'WHEN', 'LIVE FOR', 'WHO', 'MESSAGE');
    isHeaded = true;
    const { older, state, isStartUnknown } = version;
    const isEdit = version.source === 'manualEdit' && older && ['live', 'replaced'].includes(state);
    yield row(
      `${clientId}@${version.version}`,
      isStartUnknown ? '-' : version.at.replace(/T([\d:]+).*/, ' $1Z'),
      liveTime(version),
      whoMade(version),
      remarks(version, isEdit ? await effectsOf(older, version) : []),
    );
  }
}

function liveTime({ state, liveFor }: ListedVersion): string {
  if (state === 'live') return 'is live';
  if (state !== 'replaced') return '-';
  return liveFor === undefined ? 'unknown' : durationOf(liveFor * 1000);
}

function whoMade({ source, by = '-', older, isStartUnknown }: ListedVersion): string {
  if (source === 'published') return shortened(printable(authorName(by)), WHO_CHARACTERS - 1);
  return isStartUnknown && !older ? '-' : 'manual edit';
}

/** @param edit the effects of a manual edit of fields; undefined if they are unknown. */
function remarks(version: ListedVersion, edit: readonly Effect[] | undefined): string {
  const { source, message = '', restores, isDeleted, isTooLarge } = version;
  const { older, isStartUnknown, effects: known } = version;
  // The command that removes a client has no other message.
  if (isDeleted) return 'the client was removed';
  const isManual = source === 'manualEdit';
  // Those of an edit have them, too.
  const effects = edit?.length ? edit : known;
  const all = [
    ...inRow(effects.filter((one) => isOfCustomers(one) && !one.isOfCandidate)),
    !edit && 'fields edited',
    findingCounts(version),
    source === 'published' && printable(message),
    ...inRow(known.filter(isOfRollout)),
    restores !== undefined && `brings back @${restores}`,
    !older && isStartUnknown && 'from before this history began',
    isManual && version.version === 1 && !isStartUnknown && 'created',
    isTooLarge && 'its content was too large to be recorded',
    ...inRow(known.filter((one) => isOfAccess(one) && !isNamedIn(message, one))),
  ];
  return all.filter(Boolean).join('; ');
}

function findingCounts({ findings, errors }: Version): string {
  const warnings = findings - errors;
  return [errors > 0 && counted(errors, 'error'), warnings > 0 && counted(warnings, 'warning')]
    .filter(Boolean)
    .join(', ');
}

function inRow(effects: readonly Effect[]): string[] {
  return briefEffects(effects).map((one) =>
    printable(plainText(effectSentence(one)).replace(/\.$/, '')),
  );
}
