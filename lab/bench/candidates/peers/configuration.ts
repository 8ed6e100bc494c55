import { completeField } from '../../../../core/configuration/complete-field.ts';
import type { ConfigsItem } from './configs-table.ts';

/** The configuration that getConfig returns for a client. */
export interface Configuration {
  readonly data: { readonly fields: readonly unknown[]; readonly lastFieldId: unknown };
  readonly warnings: readonly string[];
}

/**
 * Reads the configuration from a client's item. It leaves out fields that do not have the shape of
 * the specification.
 *
 * @param parseField returns the field in that shape, or undefined.
 */
export function readConfiguration(
  { fields: stored, lastFieldId }: ConfigsItem,
  parseField: (field: unknown) => unknown,
): Configuration {
  const all = Array.isArray(stored) ? stored : [];
  const ids = new Set<unknown>();
  const fields = all.flatMap((storedField) => {
    const field = parseField(completeField(storedField)) as { id: unknown } | undefined;
    if (!field || ids.has(field.id)) return [];
    ids.add(field.id);
    return [field];
  });
  const omitted = all.length - fields.length;
  return {
    data: { fields, lastFieldId: Number.isSafeInteger(lastFieldId) ? lastFieldId : all.length },
    warnings: omitted > 0 ? [`${omitted} fields were left out because they are not valid.`] : [],
  };
}
