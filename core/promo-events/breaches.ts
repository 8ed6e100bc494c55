import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { type ErasuresTable, erasureLookup, UnreadableMarker } from './erasures.ts';
import { applicationOf } from './promo-event.ts';
import type { PromoEventsTable } from './promo-events-table.ts';

/** The guarantee that a write breaks. */
export type Breach =
  /** An item was changed. */
  | 'changed'
  /** An item was removed, and its user was not erased. */
  | 'removed'
  /** A repetition was stored without its application, and its user was not erased. */
  | 'applicationMissing';

/** A write of an item: no expiry. */
interface Write {
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE' | undefined;
  readonly clientId: string;
  readonly eventId: string;
}

interface Tables {
  readonly promoEvents: Pick<PromoEventsTable, 'documentClient' | 'tableName'>;
  readonly erasures: ErasuresTable;
}

/**
 * Creates the function that tells which guarantee a write breaks, if any. It throws the AWS SDK's
 * errors.
 *
 * @param now the time of AWS.
 */
export function breachFinder(
  { promoEvents, erasures }: Tables,
  now: Date,
  abortSignal: AbortSignal,
): (write: Write) => Promise<Breach | undefined> {
  const isErased = erasureLookup(erasures, now, abortSignal);

  /**
   * Any marker of the user counts: a record of a removal has only the key, and does not tell when
   * the item was received.
   */
  async function hasMarker({ clientId, eventId }: Write): Promise<boolean> {
    try {
      return await isErased({ clientId, eventId });
    } catch (error) {
      if (error instanceof UnreadableMarker) return false;
      throw error;
    }
  }

  async function hasApplication({ clientId, eventId }: Write): Promise<boolean> {
    // A consistent read costs twice as much, and is needed only if nothing is found.
    for (const ConsistentRead of [false, true]) {
      const read = new GetCommand({
        TableName: promoEvents.tableName,
        Key: { clientId, eventId: applicationOf(eventId) },
        ConsistentRead,
        ProjectionExpression: 'clientId',
      });
      const { Item } = await promoEvents.documentClient.send(read, { abortSignal });
      if (Item) return true;
    }
    return false;
  }

  return async (write) => {
    if (write.eventName === 'MODIFY') return 'changed';
    if (write.eventName === 'REMOVE') return (await hasMarker(write)) ? undefined : 'removed';
    if ((await hasApplication(write)) || (await hasMarker(write))) return undefined;
    return 'applicationMissing';
  };
}
