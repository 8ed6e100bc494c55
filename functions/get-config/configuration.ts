import * as v from 'valibot';
import type { ConfigsItem } from '../http/client.ts';
import { Field } from './field.ts';
import { completeField } from './stored-field.ts';

/** `data` of `getConfig` (spec, "Configuration result"). */
export interface Configuration {
  readonly fields: readonly Field[];
  readonly lastFieldId: number;
}

/** A configuration as it was read from an item, with what was wrong there. */
export interface ReadConfiguration {
  readonly configuration: Configuration;
  /** How many of the stored fields are not in the configuration. */
  readonly leftOut: number;
  /** One sentence for everything that an operator should correct. */
  readonly problems: readonly string[];
}

const LastFieldId = v.pipe(v.number(), v.safeInteger());

/**
 * Reads the configuration out of a client's item. A field that an app could not survive is left out, the rest is
 * served; what has nothing wrong is not changed. Never throws, whatever the item holds.
 */
export function readConfiguration({ fields: stored, lastFieldId }: ConfigsItem): ReadConfiguration {
  const fields: Field[] = [];
  const problems: string[] = [];
  let leftOut = 0;

  if (stored !== undefined && !Array.isArray(stored)) problems.push('fields is not a list.');
  for (const [index, storedField] of Array.isArray(stored) ? stored.entries() : []) {
    const result = v.safeParse(Field, completeField(storedField));
    const reasons = result.success
      ? fields.some(({ id }) => id === result.output.id)
        ? ['id: an earlier field has the same one']
        : []
      : result.issues.map(describe);
    if (result.success && reasons.length === 0) {
      fields.push(result.output);
    } else {
      leftOut += 1;
      problems.push(`fields[${index}]${nameOf(storedField)} is left out: ${reasons.join('; ')}.`);
    }
  }

  const readLastFieldId = v.safeParse(LastFieldId, lastFieldId);
  if (!readLastFieldId.success) problems.push('lastFieldId is not a whole number.');
  return {
    configuration: {
      fields,
      lastFieldId: readLastFieldId.success ? readLastFieldId.output : deriveLastFieldId(fields),
    },
    leftOut,
    problems,
  };
}

/** Apps need a number: the highest of the ids that are numbers, or else how many fields there are. */
function deriveLastFieldId(fields: readonly Field[]): number {
  const ids = fields.map(({ id }) => Number(id)).filter(Number.isSafeInteger);
  return Math.max(fields.length, ...ids);
}

function describe(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  return path ? `${path}: ${issue.message}` : issue.message;
}

function nameOf(storedField: unknown): string {
  const id = (storedField as { id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' ? ` (id ${id})` : '';
}
