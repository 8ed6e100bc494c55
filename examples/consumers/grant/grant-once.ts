import { hash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';

/** An event on the bus. One of an item that somebody wrote by hand can lack properties. */
export const AppliedCode = v.object({
  detail: v.object({
    clientId: v.string(),
    eventId: v.string(),
    userId: v.string(),
    codeIdentity: v.string(),
    receivedAt: v.string(),
  }),
});

/** The payment or subscription service that gives the benefit. */
export interface Benefits {
  /** Gives the benefit and returns its id. Under a key that it remembers, it gives nothing more. */
  readonly give: (key: string, userId: string, code: string) => Promise<string>;
  /** Finds the id of what was given, by the key in its metadata. */
  readonly find: (key: string) => Promise<string | undefined>;
}

export interface Granting {
  readonly document: DynamoDBDocument;
  readonly codesTable: string;
  readonly grantsTable: string;
  /** The user ids of guests, who get nothing. */
  readonly guests: readonly string[];
  readonly benefits: Benefits;
}

/** Services remember a key for 24 hours. The last hour is for the call, and for wrong clocks. */
const KEY_EXPIRES_MS = 23 * 60 * 60 * 1000;

/**
 * Grants the benefit of a code once, however often its event is delivered and wherever an earlier
 * attempt died. Returns `granted`, or the reason for the refusal.
 *
 * @throws Error if the event has to be delivered again.
 */
export async function grantOnce(
  { detail }: v.InferOutput<typeof AppliedCode>,
  { document, codesTable, grantsTable, guests, benefits }: Granting,
): Promise<string> {
  const { clientId, eventId, userId, codeIdentity, receivedAt } = detail;
  const grantId = hash('sha256', JSON.stringify([clientId, eventId]));
  const grant = { TableName: grantsTable, Key: { grantId } };
  const code = { TableName: codesTable, Key: { clientId, code: codeIdentity } };

  const { Item: known } = await document.get({ ...grant, ConsistentRead: true });
  // After an erasure, the key alone may be left.
  if (known && known.step !== 'started') return known.reason ?? 'granted';

  let benefitId: string | undefined;
  if (!known) {
    const about = { clientId, userId, code: codeIdentity };
    const reason = guests.includes(userId) ? 'guest' : await takeSlot();
    if (reason) {
      const isNew = 'attribute_not_exists(step) OR step = :step';
      await mark({ step: 'refused', reason, ...about }, isNew);
      return reason;
    }
    await mark({ step: 'started', startedAt: Date.now(), ...about });
  } else if (Date.now() - known.startedAt > KEY_EXPIRES_MS) {
    // The service may have forgotten the key. If yours cannot find what it gave, throw an error:
    // the message becomes a dead letter, and waits for a person.
    benefitId = await benefits.find(grantId);
  }
  benefitId ??= await benefits.give(grantId, userId, codeIdentity);
  await mark({ step: 'granted', benefitId });
  return 'granted';

  /** Sets attributes of the grant, whose names are no reserved words. */
  async function mark(attributes: object, ConditionExpression?: string) {
    const set = Object.entries(attributes).map(([name, value]) => [`:${name}`, value] as const);
    await document.update({
      ...grant,
      UpdateExpression: `SET ${set.map(([name]) => `${name.slice(1)} = ${name}`).join(', ')}`,
      ConditionExpression,
      ExpressionAttributeValues: Object.fromEntries(set),
    });
  }

  /**
   * Adds the id to those in the item of its code, unless it is one of them: an event finds the slot
   * that it took. Returns the reason if there is none for it.
   */
  async function takeSlot(): Promise<string | undefined> {
    try {
      await document.update({
        ...code,
        UpdateExpression: 'ADD grantIds :ids',
        ConditionExpression:
          'contains(grantIds, :id) OR (validFrom <= :at AND validUntil > :at AND slots > :none AND (attribute_not_exists(grantIds) OR size(grantIds) < slots))',
        ExpressionAttributeValues: {
          ':id': grantId,
          ':ids': new Set([grantId]),
          ':at': receivedAt,
          ':none': 0,
        },
      });
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
    const { Item: rule } = await document.get({ ...code, ConsistentRead: true });
    if (!rule) return 'unknown code';
    if (receivedAt < rule.validFrom) return 'too early';
    if (receivedAt >= rule.validUntil) return 'too late';
    if ((rule.grantIds?.size ?? 0) >= rule.slots) return 'used up';
    throw new Error('The code was changed in the meantime, or is not complete.');
  }
}
