import { completeField } from '../../../core/configuration/stored-field.ts';

/** What an app is answered of a client's item. */
export interface Configuration {
  readonly data: { readonly fields: readonly unknown[]; readonly lastFieldId: unknown };
  readonly warnings: readonly string[];
}

/**
 * Reads the configuration out of a client's item; fields that do not have the shape of the specification are left out.
 *
 * @param parse gives a field in that shape, or undefined.
 */
export function readConfiguration(
  { fields: stored, lastFieldId }: Readonly<Record<string, unknown>>,
  parse: (field: unknown) => unknown,
): Configuration {
  const all = Array.isArray(stored) ? stored : [];
  const ids = new Set<unknown>();
  const fields = all.flatMap((storedField) => {
    const field = parse(completeField(storedField)) as { id: unknown } | undefined;
    if (!field || ids.has(field.id)) return [];
    ids.add(field.id);
    return [field];
  });
  const leftOut = all.length - fields.length;
  return {
    data: { fields, lastFieldId: Number.isSafeInteger(lastFieldId) ? lastFieldId : all.length },
    warnings: leftOut > 0 ? [`${leftOut} fields were left out: they are not valid.`] : [],
  };
}
