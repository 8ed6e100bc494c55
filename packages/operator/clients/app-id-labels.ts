import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ConfigsItem } from 'customer-data-api/clients';
import { fingerprintOf } from 'customer-data-api/clients';
import * as v from 'valibot';

const AppIdLabel = v.object({
  /** What the App-Id is for, such as `iOS`. */
  label: v.exactOptional(v.string()),
  /** When it was added, in ISO 8601. */
  at: v.exactOptional(v.string()),
  /** Who added it. */
  by: v.exactOptional(v.string()),
});

/** What the item of a client says about an App-Id. */
export type AppIdLabel = Readonly<v.InferOutput<typeof AppIdLabel>>;

/** An entry of `appIdLabels`: an object, or as people write it by hand, only the label. */
const Entry = v.union([
  AppIdLabel,
  v.pipe(
    v.string(),
    v.transform((label): AppIdLabel => ({ label })),
  ),
]);

/**
 * Reads the attribute `appIdLabels` of a client, by fingerprint of the App-Id. People edit it by
 * hand: an entry that cannot be read is left out.
 */
export function readAppIdLabels({ appIdLabels }: ConfigsItem): ReadonlyMap<string, AppIdLabel> {
  const entries = Object.entries(Object(appIdLabels)).flatMap(
    ([fingerprint, entry]): [string, AppIdLabel][] => {
      const { success, output } = v.safeParse(Entry, entry);
      return success ? [[fingerprint, output]] : [];
    },
  );
  return new Map(entries);
}

/**
 * Returns the attribute `appIdLabels` after a change of App-Ids: without those that are gone, and
 * with the new ones. Entries of other fingerprints stay, readable or not.
 *
 * @param stored the attribute before it, in DynamoDB's JSON.
 * @returns undefined if nothing is left in it. DynamoDB would accept an empty map.
 */
export function labelsAfter(
  stored: AttributeValue | undefined,
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  label: AppIdLabel,
): AttributeValue | undefined {
  const labels = { ...stored?.M };
  const [old, fresh] = [new Set(before), new Set(after)];
  for (const appId of old.difference(fresh)) delete labels[fingerprintOf(appId)];
  for (const appId of fresh.difference(old)) labels[fingerprintOf(appId)] = { M: marshall(label) };
  return Object.keys(labels).length > 0 ? { M: labels } : undefined;
}

/** Names an App-Id for people: `1ba08bcf (iOS)`. */
export function appIdName(fingerprint: string, { label }: AppIdLabel = {}): string {
  return label === undefined ? fingerprint : `${fingerprint} (${label})`;
}
