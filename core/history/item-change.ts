import type { RawItem } from '../client-attributes.ts';
import type { StreamPosition } from './version.ts';

/** A record of the Configs table's stream: a client's item before and after a change. */
export interface ItemChange {
  readonly clientId: string;
  /** The id of the record. */
  readonly eventId: string;
  readonly position: StreamPosition;
  /** Time when DynamoDB accepted the change, in ISO 8601. */
  readonly at: string;
  /** Undefined if the change created the item. */
  readonly before: RawItem | undefined;
  /** Undefined if the change deleted the item. */
  readonly after: RawItem | undefined;
}
