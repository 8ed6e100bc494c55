import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { readValue } from '../aws/attribute-values.ts';
import { isSendableAppId } from './app-id.ts';
import { fingerprintOf, fullFingerprint } from './app-id-fingerprint.ts';
import type { StoredClient } from './read-client.ts';

const AppIdLabel = v.object({
  /** The purpose of the App-Id, such as `iOS`. */
  label: v.exactOptional(v.string()),
  /** The time when it was added, in ISO 8601. */
  at: v.exactOptional(v.string()),
  /** The author who added it. */
  by: v.exactOptional(v.string()),
});

/** The label of an App-Id in the item of a client. */
export type AppIdLabel = Readonly<v.InferOutput<typeof AppIdLabel>>;

/** An entry of `appIdLabels`: an object, or as people write it by hand, only the label. */
const Entry = v.union([
  AppIdLabel,
  v.pipe(
    v.string(),
    v.transform((label): AppIdLabel => ({ label })),
  ),
]);

/** A value in the attribute `appIds`: an App-Id, or what somebody wrote there by hand. */
export interface StoredAppId {
  readonly value: AttributeValue;
  /** All digits of its digest, or of that of its JSON if it is no string. */
  readonly digest: string;
  /** The first of these digits. */
  readonly fingerprint: string;
  /** True if apps can use it. */
  readonly isAppId: boolean;
  /** Its entry in `appIdLabels`. People edit that by hand: an unreadable one is empty. */
  readonly named: AppIdLabel;
}

/** Lists the values in the attribute `appIds` of a client, with their labels. */
export function storedAppIds({ raw, lists }: Pick<StoredClient, 'raw' | 'lists'>): StoredAppId[] {
  const readable = new Set(lists.appIds.filter(isSendableAppId));
  const labels = Object(readValue(raw.appIdLabels));
  return valuesOf(raw.appIds).map((value) => {
    const one = storedAppId(value, value.S !== undefined && readable.has(value.S));
    const { success, output } = v.safeParse(Entry, labels[one.fingerprint]);
    return success ? { ...one, named: output } : one;
  });
}

/** Returns a value of `appIds` that has no label. */
export function storedAppId(value: AttributeValue, isAppId: boolean): StoredAppId {
  const text = value.S ?? JSON.stringify(value);
  const digest = fullFingerprint(text).toString('hex');
  return { value, digest, fingerprint: fingerprintOf(text), isAppId, named: {} };
}

function valuesOf(stored: AttributeValue | undefined): AttributeValue[] {
  if (!stored) return [];
  return (
    stored.L ??
    stored.SS?.map((S) => ({ S })) ??
    stored.NS?.map((N) => ({ N })) ??
    stored.BS?.map((B) => ({ B })) ?? [stored]
  );
}
