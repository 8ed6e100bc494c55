import type { ConfigsItem } from '../../core/client-attributes.ts';
import { fingerprintOf } from '../../core/clients/app-id-fingerprint.ts';
import { checkAccess } from '../../core/clients/check-access.ts';
import { isLockedOut, readAccessLists } from '../../core/clients/client-access.ts';
import { type LastChange, readLastChange } from '../../core/clients/last-change.ts';
import { checkConfiguration } from '../../core/configuration/check-configuration.ts';
import type { Finding } from '../../core/finding.ts';

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
  /** What is wrong with its keys and its configuration. */
  readonly findings: readonly Finding[];
  readonly lastChange: LastChange | undefined;
}

/** @param requiresUserPoolClientIds whether a client without `userPoolClientIds` admits nobody. */
export function summarizeClient(
  item: ConfigsItem,
  requiresUserPoolClientIds: boolean,
): ClientSummary {
  const { appIds, userPoolClientIds } = readAccessLists(item, requiresUserPoolClientIds);
  return {
    clientId: String(item.clientId),
    keys: appIds.map(fingerprintOf).toSorted(),
    userPoolClientIds,
    admitsNobody: isLockedOut(appIds, userPoolClientIds),
    fields: Array.isArray(item.fields) ? item.fields.length : 0,
    lastFieldId: item.lastFieldId,
    findings: [...checkAccess(item, requiresUserPoolClientIds), ...checkConfiguration(item)],
    lastChange: readLastChange(item),
  };
}

/** How many findings are errors, and how many warnings. */
export function countFindings({ findings }: Pick<ClientSummary, 'findings'>) {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: findings.length - errors };
}
