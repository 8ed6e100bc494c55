import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type ClientState,
  type ConfigsItem,
  type StoredClient,
  StoredConfiguration,
} from 'customer-data-api/clients';
import { idOf, isMap, withoutDerived } from 'customer-data-api/configuration';
import {
  CONTENT,
  listVersions,
  readVersion,
  stateOfVersion,
  type Version,
  type VersionsTable,
  writtenConfiguration,
  writtenFields,
} from 'customer-data-api/history';
import { OperatorError } from '../errors.ts';
import { undoObstacle } from './undo-obstacle.ts';

/** The state of a client whose live configuration is known. */
export type KnownState = ClientState & Pick<StoredClient, 'live'>;

/**
 * Reads the state of a client at a version.
 *
 * @throws OperatorError noSuchVersion, or versionWithoutFields if the content was too large to be
 *   recorded.
 */
export async function readExistingState(
  table: VersionsTable,
  clientId: string,
  number: number,
): Promise<KnownState> {
  const version = await readVersion(table, clientId, number);
  if (!version) throw new OperatorError('noSuchVersion', { clientId, version: number });
  if (version.isTooLarge) {
    throw new OperatorError('versionWithoutFields', {
      clientId,
      version: number,
      isTooLarge: true,
    });
  }
  const live = new StoredConfiguration(version.content, version.digest);
  return { ...stateOfVersion(version), live };
}

/**
 * Reads a version and the one before it, to undo what it changed.
 *
 * @throws OperatorError noSuchVersion, or notUndoable.
 */
export async function readChange(
  table: VersionsTable,
  { clientId, live }: StoredClient,
  number: number,
): Promise<{ readonly version: StoredConfiguration; readonly before: StoredConfiguration }> {
  const read = (one: number) => readVersion(table, clientId, one);
  const [version, before] = await Promise.all([read(number), read(number - 1)]);
  if (!version) throw new OperatorError('noSuchVersion', { clientId, version: number });
  const obstacle = undoObstacle(version, before, live);
  if (obstacle || !before) {
    const why = { version: number, obstacle: obstacle ?? 'oldest' };
    throw new OperatorError('notUndoable', { clientId, ...why });
  }
  return {
    version: new StoredConfiguration(version.content, version.digest),
    before: new StoredConfiguration(before.content, before.digest),
  };
}

/**
 * Reads the fields with a digest that begins so: those that are live, or of a version.
 *
 * @throws OperatorError noSuchVersion, or versionWithoutFields if the content was too large to be
 *   recorded.
 */
export async function readFieldsOf(
  table: VersionsTable,
  { clientId, live }: StoredClient,
  start: string,
): Promise<readonly unknown[]> {
  if (live.digest.startsWith(start)) return writtenFields(live.content);
  let found: Version | undefined;
  for await (const version of listVersions(table, clientId)) {
    if (!version.digest.startsWith(start)) continue;
    found = version;
    // Beside a candidate, a content may be too large that is recorded without it.
    if (!version.isTooLarge) break;
  }
  if (!found) throw new OperatorError('noSuchVersion', { clientId, start });
  const state = await readExistingState(table, clientId, found.version);
  return writtenFields(state.live.content);
}

/** Returns a configuration file. `base` identifies the stored content, to detect conflicts. */
export function fileOf(
  clientId: string,
  { content, digest }: StoredConfiguration,
): ConfigsItem & { readonly base: string } {
  return { clientId, base: digest, ...writtenConfiguration(content) };
}

/** Returns what a file has of a configuration, as it would be stored. Throws OperatorError. */
export function storedOf(file: ConfigsItem): StoredConfiguration {
  const own = CONTENT.filter((name) => file[name] !== undefined);
  return new StoredConfiguration(
    Object.fromEntries(own.map((name) => [name, toStored(file[name])])),
  );
}

/** The content of a client whose configuration was published. */
export type PublishedContent = Readonly<Record<'fields' | 'lastFieldId', AttributeValue>> & {
  readonly language?: AttributeValue;
};

/**
 * Replaces the fields and the language of a configuration by those that operators wrote. A field
 * without changes, apart from what the service derives, stays exactly as it is stored, so
 * that a change of one field touches no other.
 *
 * @param candidate another configuration with fields that are stored.
 */
export function withFields(
  live: StoredConfiguration,
  fields: readonly unknown[],
  lastFieldId: number,
  language?: unknown,
  candidate?: StoredConfiguration,
): StoredConfiguration<PublishedContent> {
  const { content } = live;
  const stored = [candidate ?? [], live].flat().map(storedFieldsById);
  const L = fields.map((field) => {
    const lean = withoutDerived(field);
    const same = stored
      .flatMap((known) => known.get(idOf(field)) ?? [])
      .find((one) => isDeepStrictEqual(one.written, lean));
    return same?.field ?? toStored(field);
  });
  const isKept = isDeepStrictEqual(writtenConfiguration(content).language, language);
  const storedLanguage = isKept
    ? content.language
    : language === undefined
      ? undefined
      : toStored(language);
  return new StoredConfiguration({
    fields: { L },
    lastFieldId: { N: String(lastFieldId) },
    ...(storedLanguage && { language: storedLanguage }),
  });
}

/** Groups the fields of a configuration by their ids, as they are stored and as written. */
function storedFieldsById({ content }: StoredConfiguration) {
  const fields = writtenFields(content);
  const all = (content.fields?.L ?? []).map((field, at) => ({ field, written: fields[at] }));
  return Map.groupBy(all, ({ written }) => idOf(written));
}

/** Replaces `marshall`, which stores what a map has under `__proto__` beside it. */
function toStored(value: unknown): AttributeValue {
  if (Array.isArray(value)) return { L: value.filter((part) => part !== undefined).map(toStored) };
  if (isMap(value)) {
    const present = Object.entries(value).filter(([, part]) => part !== undefined);
    return { M: Object.fromEntries(present.map(([name, part]) => [name, toStored(part)])) };
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new OperatorError('unstorableValue', { value });
  }
  try {
    return marshall({ value }).value as AttributeValue;
  } catch (error) {
    // For example infinity. The check ignores it: the service does not know the attribute.
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError('unstorableValue', { value, reason });
  }
}
