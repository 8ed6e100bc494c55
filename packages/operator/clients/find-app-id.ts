import { fingerprintOf, fullFingerprint } from 'customer-data-api/clients';
import { printable, UserError } from 'customer-data-api-deployment/program';
import { appIdName, type readAppIdLabels } from './app-id-labels.ts';

type AppIdLabels = ReturnType<typeof readAppIdLabels>;

/** Fewer digits could name an App-Id by accident. */
const DIGITS = /^[0-9a-f]{8,64}$/;

/**
 * Finds an App-Id of a client by itself, by the first digits of its fingerprint, or by its label.
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
  const allDigits = (appId: string) => fullFingerprint(appId).toString('hex');
  const named = DIGITS.test(text) ? appIds.filter((one) => allDigits(one).startsWith(text)) : [];
  const found = named.length > 0 ? named : labelled(appIds, text, labels);
  const [appId, another] = found;
  if (appId !== undefined && another === undefined) return appId;
  const others = appIds.length === 0 ? 'none' : `only ${listed(appIds, labels)}`;
  const digits = found.map(named.length > 0 ? allDigits : fingerprintOf).toSorted();
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
  const names = appIds
    .map(fingerprintOf)
    .toSorted()
    .map((fingerprint) => appIdName(fingerprint, labels.get(fingerprint)));
  return printable(`App-Id${appIds.length === 1 ? '' : 's'} ${names.join(', ')}`);
}
