import { checkConfiguration } from '../configuration/check-configuration.ts';
import { type LastChange, readLastChange } from '../configuration/last-change.ts';
import { type ConfigsItem, readKeys } from './client-record.ts';
import { keyDigest } from './key-digest.ts';

/** What operators see of a client without its fields. It contains no key. */
export interface ClientSummary {
  readonly clientId: string;
  /** The first digits of the digest of each App-Id. */
  readonly keys: readonly string[];
  /** Undefined if the client accepts the tokens of all app clients. */
  readonly userPoolClientIds: readonly string[] | undefined;
  readonly admitsNobody: boolean;
  /** How many fields are stored. */
  readonly fields: number;
  readonly lastFieldId: unknown;
  /** How many findings its configuration has. */
  readonly errors: number;
  readonly advice: number;
  readonly lastChange: LastChange | undefined;
}

/** @param requiresUserPoolClientIds whether a client without `userPoolClientIds` admits nobody. */
export function summarizeClient(
  item: ConfigsItem,
  requiresUserPoolClientIds: boolean,
): ClientSummary {
  const { appIds, userPoolClientIds } = readKeys(item, requiresUserPoolClientIds);
  const findings = checkConfiguration(item);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return {
    clientId: String(item.clientId),
    keys: appIds.map(keyDigest).toSorted(),
    userPoolClientIds,
    admitsNobody: appIds.length === 0 || userPoolClientIds?.length === 0,
    fields: Array.isArray(item.fields) ? item.fields.length : 0,
    lastFieldId: item.lastFieldId,
    errors,
    advice: findings.length - errors,
    lastChange: readLastChange(item),
  };
}
