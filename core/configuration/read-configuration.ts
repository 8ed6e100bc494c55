import * as v from 'valibot';
import type { ConfigsItem } from '../client-attributes.ts';
import { highestId } from './assign-ids.ts';
import { Field } from './field.ts';
import { languageTag } from './languages.ts';
import { readField } from './read-field.ts';
import type { StoredMap } from './stored-map.ts';
import { translateField, translationsOf } from './translations.ts';

/** `data` of `getConfig` (spec, "Configuration result"). */
export const Configuration = v.object({
  fields: v.pipe(
    v.array(Field),
    v.description('One field per data collection component, in the order of presentation.'),
  ),
  lastFieldId: v.pipe(
    v.number(),
    v.safeInteger(),
    v.description('A number that belongs to the fields.'),
  ),
});
export type Configuration = v.InferOutput<typeof Configuration>;

/** The configuration of a client, and the problems of its item. */
export interface ServedConfiguration {
  readonly configuration: Configuration;
  /** Number of stored fields omitted. A `fields` that is missing or not a list counts as one. */
  readonly leftOut: number;
  /** Warnings for the app. */
  readonly warnings: readonly string[];
  /** The language of the fields' own texts, if it is known. */
  readonly language: string | undefined;
  /** The translations of each served field, by language. */
  readonly translations: readonly ReadonlyMap<string, StoredMap>[];
}

/**
 * Reads the configuration from a client's item. It omits a field that would break an app, and
 * serves the rest. A valid configuration is returned unchanged. Never throws.
 */
export function readConfiguration(item: ConfigsItem): ServedConfiguration {
  const { fields, translations, leftOut, warnings } = readFields(item.fields);
  return {
    configuration: { fields, lastFieldId: readLastFieldId(item) },
    leftOut,
    warnings,
    language: languageTag(item.language),
    translations,
  };
}

/** Returns a configuration in another language: the same, but for texts that are translated. */
export function translateConfiguration(
  { configuration, translations }: ServedConfiguration,
  language: string,
): Configuration {
  const fields = configuration.fields.map((field, index) =>
    translateField(field, translations[index]?.get(language)),
  );
  return { ...configuration, fields };
}

function readFields(stored: unknown) {
  if (!Array.isArray(stored)) {
    const reason = stored === undefined ? 'the client has none stored' : 'they are not a list';
    const warnings = [`All fields were left out because ${reason}.`];
    return { fields: [], translations: [], leftOut: 1, warnings };
  }
  const fields = new Map<string, Field>();
  const translations: Map<string, StoredMap>[] = [];
  for (const storedField of stored) {
    const { field } = readField(storedField);
    if (!field || fields.has(field.id)) continue;
    fields.set(field.id, field);
    translations.push(translationsOf(storedField));
  }
  const leftOut = stored.length - fields.size;
  const warnings = leftOut > 0 ? [leftOutWarning(leftOut)] : [];
  return { fields: [...fields.values()], translations, leftOut, warnings };
}

/**
 * Reads `lastFieldId` from a client's item. Apps need a number: without one, it is the highest id,
 * or the number of fields if that is higher.
 */
export function readLastFieldId({ fields, lastFieldId }: ConfigsItem): number {
  if (v.is(Configuration.entries.lastFieldId, lastFieldId)) return lastFieldId;
  return Array.isArray(fields) ? Math.max(fields.length, highestId(fields)) : 0;
}

function leftOutWarning(leftOut: number): string {
  const [fields, its] =
    leftOut === 1 ? ['1 field was', 'its'] : [`${leftOut} fields were`, 'their'];
  return `${fields} left out because ${its} stored configuration is not valid.`;
}
