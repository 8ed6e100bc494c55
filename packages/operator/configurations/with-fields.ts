import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { isMap } from 'customer-data-api/configuration';
import { UnstorableValue } from '../errors.ts';
import { type StoredConfiguration, storedConfiguration } from './stored-configuration.ts';

/** The content of a client whose configuration was published. */
export type PublishedContent = Readonly<Record<'fields' | 'lastFieldId', AttributeValue>> & {
  readonly language?: AttributeValue;
};

/**
 * Replaces the fields and the language of a configuration by those that operators wrote. A field
 * without changes stays exactly as it is stored, so that a change of one field touches no other.
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
  const { clientId, content, written } = live;
  const stored = [candidate ?? [], live].flat().map(fieldsById);
  const L = fields.map((field) => {
    const same = stored
      .map((known) => known.get(Object(field).id))
      .find((one) => one && isDeepStrictEqual(one.written, field));
    return same?.field ?? toStored(field);
  });
  const isKept = isDeepStrictEqual(written.language, language);
  const storedLanguage = isKept
    ? content.language
    : language === undefined
      ? undefined
      : toStored(language);
  return storedConfiguration(clientId, {
    fields: { L },
    lastFieldId: { N: String(lastFieldId) },
    ...(storedLanguage && { language: storedLanguage }),
  });
}

/** Returns the fields of a configuration by their ids, as they are stored and as written. */
function fieldsById({ content, fields }: StoredConfiguration) {
  return new Map(
    (content.fields?.L ?? []).map((field, at) => [field.M?.id?.S, { field, written: fields[at] }]),
  );
}

/** Replaces `marshall`, which stores what a map has under `__proto__` beside it. */
function toStored(value: unknown): AttributeValue {
  if (Array.isArray(value)) return { L: value.filter((part) => part !== undefined).map(toStored) };
  if (isMap(value)) {
    const present = Object.entries(value).filter(([, part]) => part !== undefined);
    return { M: Object.fromEntries(present.map(([name, part]) => [name, toStored(part)])) };
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new UnstorableValue(`${JSON.stringify(value)} has half of a character.`);
  }
  try {
    return marshall({ value }).value as AttributeValue;
  } catch (error) {
    // For example infinity. The check ignores it: the service does not know the attribute.
    throw new UnstorableValue(error instanceof Error ? error.message : String(error));
  }
}
