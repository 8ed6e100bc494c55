import { readItem } from '../aws/attribute-values.ts';
import type { RawItem } from '../client-attributes.ts';
import { type Rollout, readRollout } from '../configuration/rollout.ts';
import { contentOf } from '../configuration/stored-content.ts';
import type { Finding } from '../finding.ts';
import { type AccessLists, accessLists } from './client-access.ts';
import { type LastChange, readLastChange } from './last-change.ts';
import { ignoresCase, type PromoCodeCase } from './promo-code-case.ts';
import { StoredConfiguration } from './stored-configuration.ts';

/** The item of a client. Manual edits can damage any part of it. */
export interface StoredClient extends PromoCodeCase {
  readonly clientId: string;
  /** The item itself, for what a change carries over: all digits of numbers, and damaged values. */
  readonly raw: RawItem;
  /** The live configuration. */
  readonly live: StoredConfiguration;
  /** The rollout that runs. */
  readonly rollout?: StoredRollout | undefined;
  /** The reason why the attribute `rollout` is not served. */
  readonly damage?: Pick<Finding, 'path' | 'message'> | undefined;
  readonly lists: AccessLists;
  readonly lastChange: LastChange | undefined;
}

/** A rollout with its candidate. */
export interface StoredRollout extends Rollout {
  readonly candidate: StoredConfiguration;
}

/** Reads the item of a client. Never throws. */
export function readClient(raw: RawItem): StoredClient {
  // The configuration is read when it is asked for.
  const { fields: _, lastFieldId: __, language: ___, ...others } = raw;
  const item = readItem(others);
  const { rollout, damage } = readRollout(item);
  const candidate = () => new StoredConfiguration(contentOf(raw.rollout?.M ?? {}));
  return {
    clientId: raw.clientId?.S ?? '',
    raw,
    live: new StoredConfiguration(contentOf(raw)),
    ...(rollout && { rollout: { ...rollout, candidate: candidate() } }),
    ...(damage && { damage }),
    lists: accessLists(item),
    ...(ignoresCase(item) && { promoCodesIgnoreCase: true }),
    lastChange: readLastChange(item),
  };
}
