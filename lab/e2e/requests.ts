import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { documentClient } from '../../packages/deployment/aws-clients.ts';
import type { Outputs } from '../../packages/deployment/outputs.ts';
import { bodyOf, call } from '../../packages/on-call/smoke/checks.ts';
import type { Subject } from '../../packages/on-call/smoke/subject.ts';
import { itemsIn } from '../../test/support/items-in.ts';

/** A request of `promoCode/apply`. */
export interface Application {
  readonly requestDate: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request for a code that no other request has. */
export function application(subject: Subject): Application {
  return {
    requestDate: new Date().toISOString(),
    body: { ...bodyOf(applyPromoCode, subject), promoCode: randomUUID().slice(0, 8) },
  };
}

/**
 * Sends a request of `promoCode/apply`.
 *
 * @returns the body of the response.
 * @throws AssertionError unless it succeeds.
 */
export async function apply(subject: Subject, { requestDate, body }: Application) {
  const headers = { 'Request-Date': requestDate };
  const answer = await call(subject, applyPromoCode, { headers, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
}

/** The items of a client in the PromoEvents table. */
export async function promoEventsOf(
  outputs: Outputs,
  { clientId }: Pick<Subject, 'clientId'>,
): Promise<Record<string, unknown>[]> {
  using client = documentClient(outputs);
  return await itemsIn(outputs.PromoEventsTableName, client, clientId);
}
