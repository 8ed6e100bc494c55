import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { applyPromoCode } from '../../functions/apply-promo-code/operation.ts';
import { getConfig } from '../../functions/get-config/operation.ts';
import { headersOf } from '../../functions/http/request-headers.ts';
import { UserError } from '../../packages/deployment/program/user-error.ts';
import { bodyOf } from '../../packages/on-call/smoke/checks.ts';
import type { Subject } from '../../packages/on-call/smoke/subject.ts';
import { recordedAssembly } from '../../test/support/recorded-release.ts';
import type { Application } from './requests.ts';

/** The stage of the recorded releases: logical ids contain its name. */
export const RECORDED_STAGE = 'e2e';

/** @throws UserError unless a release may get a version: it is new, and not that of a build. */
export function expectUnrecorded(version: string): void {
  if (version.includes('-')) {
    throw new UserError(`${version} is no release. Set the version in package.json first.`);
  }
  if (existsSync(recordedAssembly(version))) {
    throw new UserError(`${version} is recorded already. Raise the version in package.json.`);
  }
}

/** Returns the version of what is built after a release: `0.2.0-dev` after `0.1.3`. */
export function versionAfter(release: string): string {
  const [major, minor] = release.split('.');
  return `${major}.${Number(minor) + 1}.0-dev`;
}

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
