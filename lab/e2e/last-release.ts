import assert from 'node:assert/strict';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import { headersOf } from '../../functions/http/request-headers.ts';
import { bodyOf } from '../../packages/on-call/smoke/checks.ts';
import type { Subject } from '../../packages/on-call/smoke/subject.ts';
import type { Application } from './requests.ts';

/** The stage of the recorded releases: logical ids contain its name. */
export const RECORDED_STAGE = 'e2e';

/**
 * Both operations answer a client and its user. Responses are those of any release, so the current
 * OpenAPI document need not describe them.
 */
export async function expectServed(subject: Subject, { requestDate, body }: Application) {
  const { url, idToken, appId } = subject;
  const send = async (path: string, sent: object) => {
    const headers = headersOf({
      idToken,
      appId,
      requestDate,
      deviceId: '00000000-0000-0000-0000-000000000000',
    });
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(sent),
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text).data;
  };
  const { fields, lastFieldId } = await send(getConfig.path, bodyOf(getConfig, subject));
  assert.deepEqual({ fields, lastFieldId }, getConfig.example.data());
  await send(applyPromoCode.path, body);
}
