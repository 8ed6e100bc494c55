import type { ConfigsItem } from 'customer-data-api/clients';
import {
  accessFindings,
  fingerprintOf,
  type LastChange,
  readAccessLists,
  readLastChange,
} from 'customer-data-api/clients';
import type { Finding } from 'customer-data-api/configuration';
import { checkConfiguration, readConfiguration } from 'customer-data-api/configuration';
import { type AppIdLabel, readAppIdLabels } from './app-id-labels.ts';

/** A client for operators, without its fields. Contains no App-Id. */
export interface ClientSummary {
  readonly clientId: string;
  /** Of the App-Ids. */
  readonly fingerprints: readonly string[];
  /** What its item says about App-Ids, by fingerprint. */
  readonly labels: Readonly<Record<string, AppIdLabel>>;
  /** Undefined if the client accepts the tokens of all app clients. */
  readonly userPoolClientIds: readonly string[] | undefined;
  readonly isLockedOut: boolean;
  /** The number of stored fields. */
  readonly fields: number;
  /** The number of those that customers do not see. */
  readonly leftOut: number;
  readonly lastFieldId: unknown;
  /** Findings about its access lists and its configuration. */
  readonly findings: readonly Finding[];
  readonly lastChange: LastChange | undefined;
}

/** @param requiresUserPoolClientIds if true, a client without `userPoolClientIds` is locked out. */
export function summarizeClient(
  item: ConfigsItem,
  requiresUserPoolClientIds: boolean,
): ClientSummary {
  const { appIds, userPoolClientIds } = readAccessLists(item, requiresUserPoolClientIds);
  const ofAccess = accessFindings(item, requiresUserPoolClientIds);
  return {
    clientId: String(item.clientId),
    fingerprints: appIds.map(fingerprintOf).toSorted(),
    labels: Object.fromEntries(readAppIdLabels(item)),
    userPoolClientIds,
    isLockedOut: ofAccess.some(({ code }) => code === 'lockedOut'),
    fields: Array.isArray(item.fields) ? item.fields.length : 0,
    leftOut: Array.isArray(item.fields) ? readConfiguration(item).leftOut : 0,
    lastFieldId: item.lastFieldId,
    findings: [...ofAccess, ...checkConfiguration(item)],
    lastChange: readLastChange(item),
  };
}
