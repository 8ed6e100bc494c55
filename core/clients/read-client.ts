import { readItem } from '../aws/attribute-values.ts';
import type { ConfigsItem, RawItem } from '../client-attributes.ts';
import { type Rollout, readRollout } from '../configuration/rollout.ts';
import { contentOf, type StoredContent } from '../configuration/stored-content.ts';
import type { Finding } from '../finding.ts';
import { type AccessLists, readAccessLists } from './client-access.ts';
import { type LastChange, readLastChange } from './last-change.ts';

/** The item of a client. Manual edits can damage any part of it. */
export interface StoredClient {
  readonly raw: RawItem;
  readonly item: ConfigsItem;
  /** The live configuration. */
  readonly live: StoredContent;
  /** The rollout that runs. */
  readonly rollout?: StoredRollout | undefined;
  /** Why the attribute `rollout` is not served. */
  readonly damage?: Pick<Finding, 'path' | 'message'> | undefined;
  readonly access: AccessLists;
  readonly lastChange: LastChange | undefined;
}

/** A rollout with the content of its candidate. */
export interface StoredRollout extends Rollout {
  readonly content: StoredContent;
}

/** Reads the item of a client. Never throws. */
export function readClient(raw: RawItem): StoredClient {
  const item = readItem(raw);
  const { rollout, damage } = readRollout(item);
  return {
    raw,
    item,
    live: contentOf(raw),
    ...(rollout && { rollout: { ...rollout, content: contentOf(raw.rollout?.M ?? {}) } }),
    ...(damage && { damage }),
    access: readAccessLists(item),
    lastChange: readLastChange(item),
  };
}
