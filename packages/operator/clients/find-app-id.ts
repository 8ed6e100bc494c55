import { createHash } from 'node:crypto';
import { fingerprintOf } from 'customer-data-api/clients';
import { printable, UserError } from 'customer-data-api-deployment/program';
import { appIdName, type readAppIdLabels } from './app-id-labels.ts';

type AppIdLabels = ReturnType<typeof readAppIdLabels>;

/** Fewer digits could name an App-Id by accident. */
const DIGEST = /^[0-9a-f]{8,64}$/;

/**
 * Finds an App-Id of a client by itself, by the first digits of its digest, or by its label.
 *
 * @throws UserError if it names none of them, or several. The message has no App-Id.
 */
export function findAppId(
  appIds: readonly string[],
  text: string,
  clientId: string,
  labels: AppIdLabels,
): string {
  if (appIds.includes(text)) return text;
  const digest = (appId: string) => createHash('sha256').update(appId).digest('hex');
  const byDigest = DIGEST.test(text) ? appIds.filter((one) => digest(one).startsWith(text)) : [];
  const found = byDigest.length > 0 ? byDigest : labelled(appIds, text, labels);
  const [appId, another] = found;
  if (appId !== undefined && another === undefined) return appId;
  const others = appIds.length === 0 ? 'none' : `only ${listed(appIds, labels)}`;
  const digits = found.map(byDigest.length > 0 ? digest : fingerprintOf).toSorted();
  throw new UserError(
    another === undefined
      ? `Client ${clientId} has no such App-Id; it has ${others}.`
      : `${found.length} App-Ids of client ${clientId} are called ${printable(text)}: ${digits.join(', ')}. Name one by its digits.`,
    'noSuchAppId',
  );
}

/** Returns the App-Ids with a label. */
export function labelled(appIds: readonly string[], label: string, labels: AppIdLabels): string[] {
  return appIds.filter((appId) => labels.get(fingerprintOf(appId))?.label === label);
}

/** Names App-Ids: `App-Ids 0a1b2c3d (iOS), 4e5f6071`. */
export function listed(appIds: readonly string[], labels: AppIdLabels): string {
  const keys = appIds.map(fingerprintOf).toSorted();
  const names = keys.map((key) => appIdName(key, labels.get(key)));
  return printable(`App-Id${appIds.length === 1 ? '' : 's'} ${names.join(', ')}`);
}
