import type { StoredConfiguration } from 'customer-data-api/clients';
import { languageTag } from 'customer-data-api/configuration';
import {
  fieldsIdentity,
  type Version,
  type VersionWithContent,
  writtenConfiguration,
  writtenFields,
} from 'customer-data-api/history';
import type { UndoObstacle } from '../words.ts';
import { findAmbiguity } from './merge-fields.ts';

/**
 * Tells why a version cannot be undone alone, as far as it is known: a list of versions has no
 * contents.
 *
 * @param before the version before it; undefined if there is none.
 */
export function undoObstacle(
  version: Version | VersionWithContent,
  before: Version | VersionWithContent | undefined,
  live?: StoredConfiguration,
): UndoObstacle | undefined {
  if (!before) return 'oldest';
  if (version.isDeleted || before.isDeleted) return 'removed';
  if (version.isTooLarge || before.isTooLarge) return 'tooLarge';
  if (fieldsIdentity(before) === fieldsIdentity(version)) return 'sameFields';
  if (!live || !('content' in version && 'content' in before)) return undefined;
  const contents = [version, before, live].map(({ content }) => content);
  const [base, mine, theirs] = contents.map((content) => ({ fields: writtenFields(content) }));
  if (base && mine && theirs && findAmbiguity({ base, mine, theirs })) return 'noUniqueIds';
  const [was, is] = [version, live].map(({ content }) =>
    languageTag(writtenConfiguration(content).language),
  );
  return was && is && was !== is ? 'otherLanguage' : undefined;
}
