import * as v from 'valibot';
import type { ConfigsItem } from '../clients/client-record.ts';
import { highestId } from './assign-ids.ts';
import { Field } from './field.ts';
import { type FieldError, readField } from './read-field.ts';

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
export interface ReadConfiguration {
  readonly configuration: Configuration;
  /** The number of stored fields that the configuration omits. A `fields` attribute that is missing or not a list counts as one. */
  readonly leftOut: number;
  /** For the app. */
  readonly warnings: readonly string[];
  /** For the operator: one sentence per correction. */
  readonly problems: readonly string[];
}

/**
 * Reads the configuration from a client's item. It omits a field that would break an app and serves the rest. A valid
 * configuration is not changed. Never throws, for any item.
 */
export function readConfiguration({ fields: stored, lastFieldId }: ConfigsItem): ReadConfiguration {
  const { fields, problems, leftOut, warnings } = readFields(stored);
  const readLastFieldId = v.safeParse(Configuration.entries.lastFieldId, lastFieldId);
  if (!readLastFieldId.success) problems.push('lastFieldId is not an integer.');
  return {
    configuration: {
      fields,
      lastFieldId: readLastFieldId.success ? readLastFieldId.output : deriveLastFieldId(stored),
    },
    leftOut,
    warnings,
    problems,
  };
}

function readFields(stored: unknown) {
  const fields = new Map<string, Field>();
  const problems: string[] = [];
  if (!Array.isArray(stored)) {
    problems.push('fields is not a list; a client without fields has an empty list.');
    const reason = stored === undefined ? 'the client has none stored' : 'they are not a list';
    return {
      fields: [],
      problems,
      leftOut: 1,
      warnings: [`All fields were left out because ${reason}.`],
    };
  }
  for (const [index, storedField] of stored.entries()) {
    const { field, errors } = readField(storedField);
    if (field && !fields.has(field.id)) {
      fields.set(field.id, field);
      continue;
    }
    const reasons = errors?.map(describe) ?? ['id: an earlier field has the same id'];
    problems.push(`fields[${index}]${nameOf(storedField)} is left out: ${reasons.join('; ')}.`);
  }
  const leftOut = problems.length;
  const warnings = leftOut > 0 ? [leftOutWarning(leftOut)] : [];
  return { fields: [...fields.values()], problems, leftOut, warnings };
}

/** The highest numeric id of the stored fields, or their count if that is higher: apps need a number. */
function deriveLastFieldId(stored: unknown): number {
  if (!Array.isArray(stored)) return 0;
  return Math.max(stored.length, highestId(stored));
}

function leftOutWarning(leftOut: number): string {
  const [fields, its] =
    leftOut === 1 ? ['1 field was', 'its'] : [`${leftOut} fields were`, 'their'];
  return `${fields} left out because ${its} stored configuration is not valid.`;
}

function describe({ path, message }: FieldError): string {
  return path.length > 0 ? `${path.join('.')}: ${message}` : message;
}

function nameOf(storedField: unknown): string {
  const id = idOf(storedField);
  return id ? ` (id ${id})` : '';
}

function idOf(storedField: unknown): string | undefined {
  const id = (storedField as { id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' ? id : undefined;
}
