import type { StoredAppId } from 'customer-data-api/clients';
import { languageName, shortened } from 'customer-data-api/configuration';
import { printable } from 'customer-data-api-deployment/printable';

/*
 * The sentences that are no errors: the messages of findings, rows of spreadsheets that cannot be
 * merged, and parts of sentences that both commands and the page of the console show. The page runs
 * them, too.
 */

/** The longest name, or list of names, in a sentence. */
const NAMES_CHARACTERS = 100;

/** The findings in a configuration file that an item cannot have. */
export const FILE_FINDINGS = {
  noMap: 'The file must be a map with clientId, lastFieldId and fields',
  noClientId: "is missing; it is the key of the client's item, a string",
  invalidClientId: "is not a client id; it is the key of the client's item, a string",
  changedBase: 'was changed by hand; write the configuration into a new file with config show',
  unknownAttribute:
    'is an unknown attribute; a file has clientId, base, lastFieldId, language and fields',
  repeatedName: (name: string) => `${shortened(name, NAMES_CHARACTERS)} is here twice. Delete one`,
  tooDeep: (levels: number) =>
    `Lists and maps contain each other in more than ${levels} levels, which DynamoDB does not store`,
  tooManyAliases: (most: number) => `More than ${most} aliases`,
  notQuoted: (start: string, meaning: 'tag' | 'anchor') =>
    `Put this text in quotes: YAML takes ${start} at its start for ${meaning === 'tag' ? 'a' : 'an'} ${meaning}`,
};

/** The attributes of an item that a file cannot have, and the message of the finding. */
export const MISPLACED = {
  appIds: 'does not belong in a file: use the commands clients and keys',
  userPoolClientIds: 'does not belong in a file: use the commands clients and keys',
  promoCodesIgnoreCase: 'does not belong in a file: the creation of a client sets it, for good',
  lastChange: 'does not belong in a file: config publish writes it',
  rollout: 'does not belong in a file: start one with config publish --rollout',
};

/** The findings in a client that only operators have. */
export const CLIENT_FINDINGS = {
  deleted: 'was deleted manually, so every request is refused; create it again, and roll back',
  acceptsAllAppClients:
    'is missing, so tokens of the apps of all clients are accepted; set its app clients',
  foreignAppClients: (ids: readonly string[]) =>
    `has ${shortened(ids.join(', '), NAMES_CHARACTERS)}, which the deployment does not have; set its app clients`,
  editedCase: (wasIgnored: boolean) =>
    `was edited manually, so customers can apply promo codes again in another case; ${wasIgnored ? 'set it to true again' : 'remove it again'}`,
  editedAppClients: (added: readonly string[]) =>
    `was edited manually, and accepts the tokens of ${shortened(added.join(', '), NAMES_CHARACTERS)}, too; set the app clients, to those or to others`,
};

/** The rows of a spreadsheet that cannot be merged. They follow the number of the row. */
export const ROWS = {
  otherCells:
    'has more or fewer cells than row 1; separate them alike, and put a text with commas in quotes',
  unreadColumn: (column: string, comment: string) =>
    `has a text in the column ${column}, which is not read; delete it, or name the column ${comment}`,
  unknownText: (field: string, what: string) =>
    `translates ${what} of field ${field}, which the configuration does not have; correct both cells, or empty the translation`,
  otherOriginal: (original: string, now: string) =>
    `translates ${JSON.stringify(original)}, which is now ${JSON.stringify(now)}; check the translation, and write this as the original`,
  otherTranslation: (translation: string, now: string, isBaseKnown: boolean) => {
    const theirs = JSON.stringify(now);
    const why = isBaseKnown
      ? `the text has changed to ${theirs} since`
      : `the text is ${theirs}, and row 1 does not say what the file was made of`;
    return `has ${JSON.stringify(translation)}, but ${why}; empty the translation to keep that, or export the texts again to replace it`;
  },
  repeated: (field: string, what: string, first: number) =>
    `translates ${what} of field ${field} again, after row ${first}`,
  noLanguage: (tag: string, language: string) =>
    `has the column translation (${tag}), which names no tag of a language; for texts in ${languageName(language)}, write translation (${language})`,
  otherLanguage: (tag: string, language: string) =>
    `has texts in ${languageName(tag)} (${tag}), and not in ${languageName(language)} (${language}); merge them into their language`,
  noColumns: (columns: readonly string[], language: string) =>
    `must have the names of the columns: ${columns.join()} (${language})`,
  noDigest: (origin: string, digits: number) =>
    `has ${JSON.stringify(origin)} after its language, which does not end with the ${digits} digits of a version; write the name of the column as it was exported`,
};

/** The reason why a version cannot be undone alone. */
export type UndoObstacle = keyof typeof UNDO_OBSTACLES;

/** Ends a sentence that says that it cannot. */
export const UNDO_OBSTACLES = {
  oldest: 'because the history has no version before it',
  removed: 'because the client was removed',
  tooLarge: 'because its content, or that before it, was too large to be recorded',
  sameFields: 'because it changed no fields',
  noUniqueIds: 'because fields have no ids of their own',
  otherLanguage: 'because the texts are in another language since',
};

/** Names what both sides of a merge changed: a field, the order, or the language. */
export function conflictName({
  key,
  fieldName,
}: {
  readonly key: string;
  readonly fieldName?: string | undefined;
}): string {
  const names: Readonly<Record<string, string>> = {
    order: 'the order of the fields',
    language: 'the language of the texts',
  };
  return names[key] ?? (fieldName || `the field with ${key}`);
}

/** An App-Id that is named, and not shown. */
export type NamedAppId = Pick<StoredAppId, 'fingerprint' | 'named'>;

/** Names an App-Id for people: `1ba08bcf (iOS)`. */
export function appIdName({ fingerprint, named: { label } }: NamedAppId): string {
  return label === undefined ? fingerprint : `${fingerprint} (${label})`;
}

/** Names App-Ids: `App-Ids 0a1b2c3d (iOS), 4e5f6071`. */
export function appIdNames(appIds: readonly NamedAppId[]): string {
  const names = appIds.map(appIdName).toSorted();
  return printable(`App-Id${names.length === 1 ? '' : 's'} ${names.join(', ')}`);
}

/** Describes an App-Id that apps still send, although it was revoked. */
export function describeRevokedUse({
  fingerprint,
  requests,
}: {
  readonly fingerprint: string;
  readonly requests: number;
}): string {
  return `App-Id ${fingerprint} was revoked, but apps still send it. Refused in the last 24 hours: at least ${requests.toLocaleString('en')}.`;
}
